/** One thing wrong with one value of the input. `path` is dotted, from the root of the body or query. */
export interface FieldError {
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

/** What a fault may say beside its code and sentence; all of it is shown to the caller. */
export type FaultDetails = Readonly<Record<string, unknown>> & { readonly errors?: readonly FieldError[] };

/**
 * An expected refusal. `code` is `noun.reason` and stable; the HTTP status that belongs to it stands in one
 * table of the API, so that nothing below the API knows of HTTP.
 */
export class Fault extends Error {
  override readonly name = 'Fault';

  constructor(
    readonly code: string,
    message: string,
    readonly details: FaultDetails = {},
  ) {
    super(message);
  }
}

/** Makes a fault to be thrown: `throw fault('coupon.expired', 'The coupon can no longer be used')`. */
export function fault(code: string, message: string, details: FaultDetails = {}): Fault {
  return new Fault(code, message, details);
}

/** A fault about one field of the input, with code `value.invalid` unless a nearer one is given. */
export function fieldFault(path: string, message: string, code = 'value.invalid'): Fault {
  return new Fault(code, message, { errors: [{ path, code, message }] });
}

/** True when `thrown` is a fault, with that code if one is given. */
export function isFault(thrown: unknown, code?: string): thrown is Fault {
  return thrown instanceof Fault && (code === undefined || thrown.code === code);
}
