import type { TaxShare } from '@commerce/kernel';

import { earlier, type Schedule } from '../calendar/schedule.js';
import type { PlanPriceInput } from '../pricing/pricing.js';
import type { Subscribed } from '../pricing/terms.js';
import type { PaymentKey } from './open-payment.js';

/** A stop or pause (`stop`) or a resume (`unused`) within a period. */
export interface PeriodCut {
  readonly at: Date;
  readonly takes: 'stop' | 'unused';
  /**
   * The end of what held before the terms that begin here (of a stop: that begin and end here), to which the day may
   * belong; null for nothing. Absent: as the cuts before say.
   */
  readonly after?: Date | null;
  /** The dearest price of this period that its day has been charged at, where a change begins in a day that was used. */
  readonly over_minor?: number;
}

/** The amount that a payment has collected for a period. */
export interface PaidPart extends PaymentKey {
  readonly amount_minor: number;
}

/** A period of the calendar and its charges so far. Self-contained, so that it outlives a new anchor. */
export interface BillingPeriod {
  readonly run: number;
  readonly anchor: Date;
  readonly index: number;
  readonly start: Date;
  /** The end, cut by the known end of the subscription. */
  readonly end: Date;
  /** False where it was entered midway, after a pause that began in an earlier period. */
  readonly whole: boolean;
  /** The price of the whole period; null until it is charged for the first time. */
  readonly base_minor: number | null;
  /** The price that `base_minor` comes from, where an end cut the period: its rest, if any, costs no other. */
  readonly priced_from?: PlanPriceInput;
  /** The rates that divide `base_minor`, with their basis; absent where the rates of products are set by hand. */
  readonly taxes?: readonly TaxShare[];
  readonly cuts: readonly PeriodCut[];
  /** Number of cuts that have been charged or refunded. */
  readonly settled: number;
  /** Number of payments opened for it. */
  readonly bills: number;
  /** Amounts collected for it, payment by payment, less refunds; the newest last. */
  readonly paid: readonly PaidPart[];
  /** The uncollected amount that is part of outstanding_amount. */
  readonly owed_minor: number;
  /** The part of the unsettled cuts that was given back by an earlier version, which asked one payment at a time. */
  readonly credited_minor: number;
  /** The plan and quantity that it belongs to, where a change has given the subscription others since. */
  readonly subscribed?: Subscribed;
  /** Set where a change has ended it. */
  readonly changed?: PeriodChange;
}

/** The change that ended a period, which is settled together with the period after it. */
export interface PeriodChange {
  /** Date on which its rest is credited or its used part is charged. */
  readonly due: Date;
  /** The destination of a credit that no charge takes up. */
  readonly credit: CreditTo;
}

/** The customer's balance, or the card that paid. */
export type CreditTo = 'balance' | 'refund';

/**
 * A period that has not been charged yet; `resumed` is the date of a resume that falls into it, or of a `change`.
 */
export function enterPeriod(
  schedule: Schedule,
  index: number,
  resumed: Date | null = null,
  change: Pick<PeriodCut, 'after' | 'over_minor'> = {},
): BillingPeriod {
  const { start, end } = schedule.period(index);
  const whole = resumed === null || resumed <= start;
  return {
    run: schedule.run,
    anchor: schedule.anchor,
    index,
    start,
    end: earlier(end, schedule.end),
    whole,
    base_minor: null,
    cuts: whole ? [] : [{ at: resumed, takes: 'unused', ...change }],
    settled: 0,
    bills: 0,
    paid: [],
    owed_minor: 0,
    credited_minor: 0,
  };
}

/** The period with a stop or pause at `at`. */
export function withStop(period: BillingPeriod, at: Date): BillingPeriod {
  return { ...period, cuts: [...period.cuts, { at, takes: 'stop' }] };
}

/** The period with a resume at `at`. */
export function withResume(period: BillingPeriod, at: Date): BillingPeriod {
  return { ...period, cuts: [...period.cuts, { at, takes: 'unused' }] };
}

/** Whether the period is number `index` of this calendar, not one with the same index in an earlier run. */
export function isPeriod(
  period: BillingPeriod | null,
  { run }: Schedule,
  index: number | null,
): period is BillingPeriod {
  return period !== null && period.run === run && period.index === index;
}

/** Names a period within the subscription: its index, preceded by the number of the run after a new anchor. */
export function periodKey({ run, index }: Pick<BillingPeriod, 'run' | 'index'>): string {
  return run === 0 ? String(index) : `${run}.${index}`;
}

/** The period with the plan, quantity and discount that it ran under, where it does not name them yet. */
export function onOwnTerms({ subscribed, ...period }: BillingPeriod, own: Subscribed): BillingPeriod {
  return { ...period, subscribed: subscribed ?? own };
}

/** The date from which a period is charged: its start, or the resume or change by which it was entered. */
export function enteredAt({ whole, start, cuts: [entry] }: BillingPeriod): Date {
  return whole || entry === undefined ? start : entry.at;
}

/** The end of what held before a resume or change in this period; null where nothing did. */
export function endedBefore({ cuts }: BillingPeriod, cut: PeriodCut): Date | null {
  const stop = cuts.slice(0, cuts.indexOf(cut)).findLast(({ takes }) => takes === 'stop');
  return cut.after === undefined ? (stop?.at ?? null) : cut.after;
}

/** The cuts that have not been charged or refunded yet. */
export function unsettledCuts({ cuts, settled }: BillingPeriod): readonly PeriodCut[] {
  return cuts.slice(settled);
}
