import { isSealed, isSealedBy, open, seal } from './sealing.js';

/** The owner of a secret: a field of one record, in its collection. Sealed text opens nowhere else. */
export type SecretPlace = readonly [collection: string, id: string, field: string];

/** Seals secrets for the database and opens them again. */
export class Sealer {
  /** @param keys 32 bytes each; the first seals, all open */
  constructor(private readonly keys: readonly Uint8Array[]) {}

  seal(text: string, place: SecretPlace): string {
    return seal(text, place.join('/'), this.first);
  }

  /** Throws where the text was sealed elsewhere, altered, or sealed with a key that is not configured. */
  open(sealed: string, place: SecretPlace): string {
    return open(sealed, place.join('/'), this.keys);
  }

  /** The same secret sealed with the first key; null where it is so already. */
  reseal(text: string, place: SecretPlace): string | null {
    if (isSealedBy(text, this.first)) return null;
    return this.seal(this.open(text, place), place);
  }

  private get first(): Uint8Array {
    const [first] = this.keys;
    if (first === undefined) throw new Error('there is no key to seal secrets with');
    return first;
  }
}

/** Records are read and written in places that no injector reaches; a process has one set of keys. */
let ofThisProcess: Sealer | null = null;

/** Makes this the sealer of the process. */
export function useSealer(sealer: Sealer): Sealer {
  ofThisProcess = sealer;
  return sealer;
}

function sealer(): Sealer {
  if (ofThisProcess === null) throw new Error('the keys that seal secrets have not been read yet');
  return ofThisProcess;
}

/** Seals the value of a field on its way into the database. */
export function sealField(text: string, place: SecretPlace): string {
  return sealer().seal(text, place);
}

/** Opens the value of a field that was read from the database; an event without secrets is stored as it is. */
export function openField(text: string, place: SecretPlace): string {
  return isSealed(text) ? sealer().open(text, place) : text;
}
