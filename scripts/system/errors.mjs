/** A reason to stop that the reader can act on: printed as it is, without a stack trace. */
export class StartError extends Error {}

/**
 * @param {unknown} error
 * @returns {string}
 */
export function messageOf(error) {
  return error instanceof Error ? error.message : String(error);
}

/**
 * @param {unknown} error
 * @returns {string | undefined} Node's code for it, such as `EEXIST`
 */
export function codeOf(error) {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}
