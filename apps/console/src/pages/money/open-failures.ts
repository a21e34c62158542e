/** The failed amounts of one month, and the earlier failures that payments of this month collected. */
export interface MonthOfFailures {
  readonly failed: number;
  readonly recovered: number;
}

/**
 * The failed amounts of each month that were not collected since. A debt joins the next charge, so the amount that a month
 * recovers counts against its own failures first, then against those of the month before, and so on. In minor units.
 */
export function openFailures(months: readonly MonthOfFailures[]): number[] {
  const open = months.map(({ failed }) => failed);
  for (const [index, { recovered }] of months.entries()) {
    let left = recovered;
    for (let month = index; month >= 0 && left > 0; month -= 1) {
      const taken = Math.min(left, open[month] ?? 0);
      open[month] = (open[month] ?? 0) - taken;
      left -= taken;
    }
  }
  return open;
}
