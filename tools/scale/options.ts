/** The numbers of subscriptions, of those that fall due simultaneously, and of the processes that bill them. */
export interface Options {
  readonly subscriptions: number;
  readonly due: number;
  readonly workers: number;
}
