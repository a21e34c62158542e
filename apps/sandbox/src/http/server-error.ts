import type { ErrorBody } from './refusal.js';

/** What the provider answers when something breaks on its side. */
export const SERVER_ERROR: ErrorBody = {
  type: 'api_error',
  message: 'Something went wrong on the side of the provider.',
};

export const TOO_MANY: ErrorBody = {
  type: 'invalid_request_error',
  code: 'rate_limit',
  message: 'Too many requests at once. Send the request again in a moment.',
};

export const KEY_IN_USE: ErrorBody = {
  type: 'idempotency_error',
  code: 'idempotency_key_in_use',
  message: 'Another request with this Idempotency-Key is still under way.',
};

export const KEY_MISUSED: ErrorBody = {
  type: 'idempotency_error',
  message: 'This Idempotency-Key was used for a request with other parameters or to another address.',
};
