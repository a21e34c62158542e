/** Claims deliveries while they are made, as far as there is room to send them at once. */
export interface ClaimsAhead {
  readonly claim: string;
  readonly leaseEnd: Date;
  /** By a clock that only goes forward. */
  readonly since: number;
  /** Takes one place at the endpoint, when one is left. */
  take(company: string, endpoint: string): boolean;
}
