import { sumToMinor, toMajor } from '@commerce/kernel';

import type { PaymentStatus } from './payment.record.js';

/** The sum of payments in the same state. Amounts are in major units. */
export interface PaymentGroup {
  readonly currency: string;
  readonly status: PaymentStatus;
  readonly amount: number;
  readonly refunded: number;
  /** The part of the amount that earlier payments had failed to collect. */
  readonly debt: number;
  readonly payments: number;
}

/** The outcomes of the payments in one currency; amounts in major units. */
export interface CurrencyTotals {
  readonly currency: string;
  readonly payments: number;
  readonly collected: number;
  readonly recovered: number;
  readonly refunded: number;
  readonly at_risk: number;
  readonly failed: number;
  readonly failed_again: number;
  readonly open: number;
}

type Outcome = 'collected' | 'at_risk' | 'failed' | 'open';

type Sums = Record<Outcome | 'refunded' | 'recovered' | 'failed_again' | 'payments', number>;

/** The totals of all groups by currency, exact in minor units. */
export function totalsOf(groups: readonly PaymentGroup[]): CurrencyTotals[] {
  const sums = new Map<string, Sums>();
  for (const group of groups) {
    const { currency, amount, refunded, debt, payments } = group;
    const sum = sums.get(currency) ?? noSums();
    const outcome = outcomeOf(group);
    sum[outcome] += sumToMinor(amount, currency);
    if (outcome === 'collected') sum.recovered += sumToMinor(debt, currency);
    if (outcome === 'failed') sum.failed_again += sumToMinor(debt, currency);
    sum.refunded += sumToMinor(refunded, currency);
    sum.payments += payments;
    sums.set(currency, sum);
  }
  return [...sums]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([currency, sum]) => ({
      currency,
      payments: sum.payments,
      collected: toMajor(sum.collected, currency),
      recovered: toMajor(sum.recovered, currency),
      refunded: toMajor(sum.refunded, currency),
      at_risk: toMajor(sum.at_risk, currency),
      failed: toMajor(sum.failed, currency),
      failed_again: toMajor(sum.failed_again, currency),
      open: toMajor(sum.open, currency),
    }));
}

function noSums(): Sums {
  const owed = { recovered: 0, failed_again: 0 };
  return { ...owed, collected: 0, refunded: 0, at_risk: 0, failed: 0, open: 0, payments: 0 };
}

function outcomeOf({ status }: PaymentGroup): Outcome {
  switch (status) {
    case 'SUCCEEDED':
    case 'PARTIALLY_REFUNDED':
    case 'REFUNDED':
      return 'collected';
    case 'REQUIRES_AUTH':
    case 'DISPUTED':
      return 'at_risk';
    case 'FAILED':
      return 'failed';
    case 'CREATED':
    case 'PROCESSING':
    case 'UNKNOWN':
      return 'open';
  }
}
