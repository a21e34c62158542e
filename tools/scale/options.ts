/** How many subscriptions there are, how many of them fall due at once, and how many processes bill them. */
export interface Options {
  readonly subscriptions: number;
  readonly due: number;
  readonly workers: number;
}
