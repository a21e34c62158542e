import { types } from 'node:util';

/** A reason to stop that the reader can act on: printed without a stack trace. */
export class StartError extends Error {}

/**
 * Node's own errors are no `instanceof Error` in a test: Jest gives each test file an `Error` of its own. A
 * `DOMException`, such as that of a fetch that took too long, is no native error.
 *
 * @param {unknown} error
 * @returns {error is Error}
 */
function isError(error) {
  return error instanceof Error || types.isNativeError(error);
}

/**
 * @param {unknown} error
 * @returns {string}
 */
export function messageOf(error) {
  return isError(error) ? error.message : String(error);
}

/**
 * @param {unknown} error
 * @returns {string | undefined} Node's code for it, such as `EEXIST`
 */
export function codeOf(error) {
  return isError(error) && 'code' in error ? String(error.code) : undefined;
}
