import { fieldFault } from '@commerce/kernel';

export const FREE_JSON_LIMITS = { bytes: 64 * 1024, depth: 32, keys: 1000 };

/**
 * JSON whose shape belongs to the caller. It is kept as text, so that keys such as `$gt`, `a.b` or `__proto__`
 * mean nothing to the database and come back as they went in, and so that no walker takes a value in it that
 * looks like an id or a date for one.
 */
export class FreeJson {
  private constructor(readonly text: string) {}

  /** Takes a parsed JSON value. 422 when it is larger than 64 KiB as text. */
  static of(value: unknown, path: string): FreeJson {
    const text = JSON.stringify(value);
    if (Buffer.byteLength(text) > FREE_JSON_LIMITS.bytes) {
      throw fieldFault(path, `${path} must not be larger than 64 KiB`, 'value.too_large');
    }
    return new FreeJson(text);
  }

  /** Takes text that this class made earlier, as the database holds it. */
  static stored(text: string): FreeJson {
    return new FreeJson(text);
  }

  get value(): unknown {
    return JSON.parse(this.text) as unknown;
  }

  /** Lets JSON.stringify render the value itself. */
  toJSON(): unknown {
    return this.value;
  }
}
