/** An exact fraction in lowest terms; `d` is above 0. */
export interface Ratio {
  readonly n: bigint;
  readonly d: bigint;
}
