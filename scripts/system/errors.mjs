import { types } from 'node:util';

/** A reason to stop that the reader can act on: printed as it is, without a stack trace. */
export class StartError extends Error {}

/**
 * @param {unknown} error
 * @returns {string}
 */
export function messageOf(error) {
  return types.isNativeError(error) ? error.message : String(error);
}

/**
 * Node's own errors are no `instanceof Error` in a test: Jest gives each test file an `Error` of its own.
 *
 * @param {unknown} error
 * @returns {string | undefined} Node's code for it, such as `EEXIST`
 */
export function codeOf(error) {
  return types.isNativeError(error) && 'code' in error ? String(error.code) : undefined;
}
