/** A link to the payments of one test clock, or of real time when `clock` is empty. */
export function paymentsAt(query: Readonly<Record<string, string>>, clock: string): string {
  const whose: Record<string, string> = clock === '' ? { real_time: 'true' } : { test_clock: clock };
  return `/payments?${new URLSearchParams({ ...query, ...whose }).toString()}`;
}
