import { DAY_MS } from '@commerce/kernel';

/** The ages by which open debts are grouped, in days: from `from` on, less than `to`; null: any more. */
export const DEBT_AGES = [
  { from: 0, to: 8 },
  { from: 8, to: 31 },
  { from: 31, to: 61 },
  { from: 61, to: 91 },
  { from: 91, to: null },
] as const;

/** The latest date since when a debt of this age is owed; younger ones began after it. */
export function startOfAge(age: number, now: Date): Date {
  return new Date(now.getTime() - (DEBT_AGES[age]?.from ?? 0) * DAY_MS);
}
