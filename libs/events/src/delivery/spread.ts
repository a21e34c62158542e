/** A duration times a random factor in [from, to), so that things that happen together do not do so again. */
export function spread(ms: number, from: number, to: number, random: () => number = Math.random): number {
  return ms * (from + (to - from) * random());
}
