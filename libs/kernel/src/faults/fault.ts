/** One error in one value of the input. `path` is dotted and starts at the root of the body or query. */
export interface FieldError {
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

/** The fields of a fault besides its code and message. All are visible to callers. */
export type FaultDetails = Readonly<Record<string, unknown>> & { readonly errors?: readonly FieldError[] };

/**
 * An expected refusal; `code` is `noun.reason` and stable. One table in the API maps codes to HTTP statuses; nothing
 * below the API knows HTTP.
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

/** Creates a fault to throw: `throw fault('coupon.expired', 'The coupon can no longer be used')`. */
export function fault(code: string, message: string, details: FaultDetails = {}): Fault {
  return new Fault(code, message, details);
}

/** Details of a temporary refusal: the delay after which the same request may be sent again. */
export const TRY_AGAIN_SOON: FaultDetails = { retry_after_ms: 1000 };

/** Creates a fault about one field of the input. */
export function fieldFault(path: string, message: string, code = 'value.invalid'): Fault {
  return new Fault(code, message, { errors: [{ path, code, message }] });
}

/** True for a fault and, if `code` is given, only for one with that code. */
export function isFault(thrown: unknown, code?: string): thrown is Fault {
  return thrown instanceof Fault && (code === undefined || thrown.code === code);
}
