/** One thing wrong with one value of a request. */
export interface FieldProblem {
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

/** The problem document (RFC 9457) of a refused request. */
export interface ProblemDocument {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: string;
  readonly request_id: string;
  readonly errors: readonly FieldProblem[];
  readonly [more: string]: unknown;
}

/** Thrown when the service refuses a request. `code` is stable: `coupon.expired`, `value.invalid` … */
export class CommerceProblem extends Error {
  override readonly name = 'CommerceProblem';
  readonly status: number;
  readonly code: string;
  readonly requestId: string;
  readonly errors: readonly FieldProblem[];

  constructor(readonly document: ProblemDocument) {
    super(`${document.code}: ${document.detail}`);
    this.status = document.status;
    this.code = document.code;
    this.requestId = document.request_id;
    this.errors = document.errors;
  }

  /** What is wrong with one field of the request; undefined when nothing is. */
  field(path: string): FieldProblem | undefined {
    return this.errors.find((error) => error.path === path);
  }
}

/**
 * Thrown when a payment needs the customer's bank: 422 with the payment as body. Give `clientSecret` to the card
 * provider's library, then call `POST /payments/{id}/confirm`.
 */
export class AuthenticationRequired extends Error {
  override readonly name = 'AuthenticationRequired';
  readonly paymentIntentId: string;
  readonly clientSecret: string;

  constructor(readonly payment: Readonly<Record<string, unknown>>) {
    super('The payment needs the customer to authenticate it');
    const metadata = (payment['metadata'] ?? {}) as Record<string, unknown>;
    this.paymentIntentId = String(metadata['payment_intent_id']);
    this.clientSecret = String(metadata['intent_client_secret']);
  }
}

/** Thrown when the service could not be reached, or gave no answer that can be read. */
export class CommerceUnavailable extends Error {
  override readonly name = 'CommerceUnavailable';
}
