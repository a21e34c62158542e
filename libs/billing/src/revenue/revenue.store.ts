import { Injectable } from '@nestjs/common';
import { MAX_READ_MS } from '@commerce/data';
import { sumToMinor, toMajor } from '@commerce/kernel';
import type { Id } from '@commerce/records';

import type { CollectionState } from '../domain/lifecycle/subscription-state.js';
import { DEBT_AGES, startOfAge } from '../domain/revenue/debt-ages.js';
import type { RecurringSince } from '../domain/revenue/recurring.js';
import { IN_DUNNING } from '../subscription-record/dunning.js';
import type { SubscriptionRecord } from '../subscription-record/subscription.record.js';
import { LIVE, SubscriptionStore } from '../subscription-record/subscription.store.js';

/** The fields of a subscription by which its recurring revenue is counted. */
export type RecurringRow = RecurringSince & Pick<SubscriptionRecord, '_id' | 'currency' | 'plan'>;

/** The debts in one currency of the subscriptions in one collection state that have owed for about as long. */
export interface Debt {
  readonly currency: string;
  readonly collection_state: CollectionState;
  readonly from_days: number;
  readonly to_days: number | null;
  readonly subscriptions: number;
  readonly outstanding_amount: number;
  readonly awaiting_amount: number;
}

type DebtRow = {
  readonly _id: Pick<Debt, 'currency' | 'collection_state'> & { readonly age: number };
} & Pick<Debt, 'subscriptions' | 'outstanding_amount' | 'awaiting_amount'>;

const RECURRING_FIELDS = {
  plan: 1,
  quantity: 1,
  discount_terms: 1,
  active: 1,
  in_trial: 1,
  currency: 1,
  starting_date: 1,
  trial_ending_date: 1,
  recurring: 1,
} as const;

/** Rows in one reply of the database. */
const ROWS_AT_ONCE = 500;

/** Reads from subscriptions what their revenue and their debts are added up from. */
@Injectable()
export class RevenueStore {
  constructor(private readonly subscriptions: SubscriptionStore) {}

  /** The subscriptions that are live, and those that ended since a date: both by indexes, memory flat. */
  async *recurringSince(company: Id, test_clock: Id | null, from: Date): AsyncGenerator<RecurringRow> {
    const created = { created: -1, _id: -1 } as const;
    yield* this.rows({ company, status: { $in: LIVE }, test_clock, deleted: false }, created);
    const ended = { $in: ['COMPLETED', 'CANCELLED'] };
    const filter = { company, recurred_until: { $gte: from }, status: ended, test_clock };
    yield* this.rows(filter, { recurred_until: 1, _id: 1 });
  }

  /**
   * The debts to a company, by currency, collection state and age. Reads only subscriptions that owe. A debt from
   * before its start was kept counts from the start of its period.
   */
  async debts(company: Id, test_clock: Id | null, at: Date): Promise<Debt[]> {
    const since = { $ifNull: ['$owing_since', '$current_billing_date_period_start'] };
    const age = DEBT_AGES.slice(1).reduceRight<unknown>(
      (older, _, index) => ({
        $cond: [{ $gt: [since, startOfAge(index + 1, at)] }, index, older],
      }),
      DEBT_AGES.length - 1,
    );
    const by = { currency: '$currency', collection_state: '$collection_state', age };
    const sums = {
      subscriptions: { $sum: 1 },
      outstanding_amount: { $sum: '$outstanding_amount' },
      awaiting_amount: { $sum: '$awaiting_amount' },
    };
    const match = { company, collection_state: IN_DUNNING, test_clock, deleted: false };
    const found = await this.subscriptions.model.collection
      .aggregate<DebtRow>([{ $match: match }, { $group: { _id: by, ...sums } }], { maxTimeMS: MAX_READ_MS })
      .toArray();
    return found.map(debtOf).sort(inOrder);
  }

  private async *rows(filter: object, sort: Record<string, 1 | -1>): AsyncGenerator<RecurringRow> {
    const cursor = this.subscriptions.model.collection
      .find(filter, { projection: RECURRING_FIELDS, batchSize: ROWS_AT_ONCE })
      .sort(sort);
    for await (const row of cursor) yield { ...ABSENT, ...row } as unknown as RecurringRow;
  }
}

/** The values of fields that records of earlier versions lack. */
const ABSENT = { recurring: [], discount_terms: null, quantity: 1, trial_ending_date: null };

function debtOf({ _id: { currency, collection_state, age }, subscriptions, ...amounts }: DebtRow): Debt {
  const major = (sum: number): number => toMajor(sumToMinor(sum, currency), currency);
  return {
    currency,
    collection_state,
    from_days: DEBT_AGES[age]?.from ?? 0,
    to_days: DEBT_AGES[age]?.to ?? null,
    subscriptions,
    outstanding_amount: major(amounts.outstanding_amount),
    awaiting_amount: major(amounts.awaiting_amount),
  };
}

/** By currency, then by age, then by state. */
function inOrder(a: Debt, b: Debt): number {
  return (
    compare(a.currency, b.currency) ||
    a.from_days - b.from_days ||
    compare(a.collection_state, b.collection_state)
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
