import { random } from '@commerce/platform';

/** A duration times a random factor in [from, to), so that things that happened together do not do so again. */
export function spread(ms: number, from: number, to: number, draw: () => number = random): number {
  return ms * (from + (to - from) * draw());
}
