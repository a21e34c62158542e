import { isDeepStrictEqual } from 'node:util';

/** As isDeepStrictEqual, which takes a hundred times longer to compare two numbers or texts. */
export function isSame(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  const isEach = typeof a === 'object' && typeof b === 'object' && a !== null && b !== null;
  return isEach && isDeepStrictEqual(a, b);
}
