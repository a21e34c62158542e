import type { WayWrong } from '../cards/outcomes.js';
import type { Transaction } from '../ledger/transaction.js';

interface ErrorBody {
  readonly type: 'invalid_request_error' | 'card_error' | 'idempotency_error' | 'api_error';
  readonly code?: string;
  readonly message: string;
  readonly param?: string;
  readonly [more: string]: unknown;
}

/** An error answer with nothing done. */
export class Refusal extends Error {
  /**
   * @param kept whether an Idempotency-Key remembers it. A request with a wrong parameter was never begun, so that
   *   its key stays free; a refusal because of a record's state is an outcome like any other.
   */
  constructor(
    readonly status: number,
    readonly body: ErrorBody,
    readonly kept = false,
  ) {
    super(body.message);
  }
}

/** A parameter is missing, malformed or unknown. */
export const badParameter = (param: string, message: string, code?: string) =>
  new Refusal(400, { type: 'invalid_request_error', message, code, param });

/** A record does not exist: 404 where its id is in the path, 400 where it is in a parameter. */
export const missingInPath = (noun: string, id: string) =>
  new Refusal(404, {
    type: 'invalid_request_error',
    message: `There is no ${noun} ${id}`,
    code: 'resource_missing',
    param: 'id',
  });
export const missing = (noun: string, id: string, param: string) =>
  badParameter(param, `There is no ${noun} ${id}`, 'resource_missing');

/** The record's state does not allow it. */
export const wrongState = (code: string, message: string, param?: string) =>
  new Refusal(400, { type: 'invalid_request_error', code, message, param }, true);

export const unauthenticated = (message: string) =>
  new Refusal(401, { type: 'invalid_request_error', message });

export const SERVER_ERROR = new Refusal(500, {
  type: 'api_error',
  message: 'Something went wrong on the side of the provider.',
});
export const TOO_MANY = new Refusal(429, {
  type: 'invalid_request_error',
  code: 'rate_limit',
  message: 'Too many requests. Send the request again in a moment.',
});
export const KEY_IN_USE = new Refusal(409, {
  type: 'idempotency_error',
  code: 'idempotency_key_in_use',
  message: 'The first request with this Idempotency-Key is not answered yet.',
});
export const KEY_MISUSED = new Refusal(400, {
  type: 'idempotency_error',
  message: 'This Idempotency-Key was used for a request with other parameters or to another address.',
});

/**
 * The request goes wrong on its way before any work. Its changes are abandoned; `remember` records, in a transaction of
 * its own, that it went wrong, so that it does so only once.
 */
export class Interruption extends Error {
  constructor(
    readonly way: WayWrong,
    readonly remember: (tx: Transaction) => void,
  ) {
    super(`The request goes wrong on purpose: ${way}`);
  }
}
