import type { WayWrong } from '../cards/outcomes.js';
import type { Transaction } from '../ledger/transaction.js';

export interface ErrorBody {
  readonly type: 'invalid_request_error' | 'card_error' | 'idempotency_error' | 'api_error';
  readonly code?: string;
  readonly message: string;
  readonly param?: string;
  readonly [more: string]: unknown;
}

/** An error answer with nothing done. */
export class Refusal extends Error {
  /**
   * @param kept whether a key remembers it. What fails the check of its parameters was never begun, so the key
   *   stays free for the corrected request; what the state of a record forbids is an outcome like any other.
   */
  constructor(
    readonly status: number,
    readonly body: ErrorBody,
    readonly kept = false,
  ) {
    super(body.message);
  }
}

const invalid = (status: number, message: string, more: { code?: string; param?: string }, kept = false) =>
  new Refusal(status, { type: 'invalid_request_error', message, ...more }, kept);

/** A parameter is missing, malformed or not known. */
export const badParameter = (param: string, message: string, code?: string) =>
  invalid(400, message, { code, param });

/** No such record: 404 when its id is in the path, 400 when it is in a parameter. */
export const missingInPath = (noun: string, id: string, param = 'id') =>
  invalid(404, `There is no ${noun} ${id}`, { code: 'resource_missing', param });
export const missingInParameter = (noun: string, id: string, param: string) =>
  invalid(400, `There is no ${noun} ${id}`, { code: 'resource_missing', param });

/** The record's state does not allow it. */
export const wrongState = (code: string, message: string, more: Record<string, unknown> = {}) =>
  new Refusal(400, { type: 'invalid_request_error', code, message, ...more }, true);

export const unauthenticated = (message: string) => invalid(401, message, {});

/**
 * Thrown when the request goes wrong on its way before any work. What it did so far is dropped; `remember`
 * writes down, in a transaction of its own, that it went wrong, so that it does not do so for ever.
 */
export class Interruption extends Error {
  constructor(
    readonly way: WayWrong,
    readonly remember: (tx: Transaction) => void,
  ) {
    super(`The request goes wrong on purpose: ${way}`);
  }
}
