/**
 * How long a run takes: `rounds` pairs that count, each of `ms` where time limits a round, or of `things` deliveries
 * or subscriptions where their number does; how many products there are to read, and how many to search at size.
 */
export interface Scale {
  readonly rounds: number;
  readonly ms: number;
  readonly things: number;
  readonly products: number;
  readonly searched: number;
}
