import { earlier, type Schedule } from '../calendar/schedule.js';
import { uncollectedPart, type PricedPart } from '../pricing/breakdown.js';
import type { Terms } from '../pricing/terms.js';
import {
  periodKey,
  unsettledCuts,
  type BillingPeriod,
  type CreditTo,
  type PaidPart,
} from './billing-period.js';
import { CreditBooks, type Refund, type RestOf } from './credit.js';
import type { PaymentKey } from './open-payment.js';
import { periodCharge, termsOfPeriod } from './period-charge.js';
import { hasPeriods, type Receivable, type StartedReceivable } from './receivable.js';

/** The settlement of all periods that a change has ended and that are due. */
export interface SettledPeriods {
  readonly parts: readonly PricedPart[];
  /** Charged for used days. */
  readonly charged_minor: number;
  /** Collected for unused days: the money to credit, the newest payment first. */
  readonly credits: readonly Credit[];
  /** The sum of the credits. */
  readonly credited_minor: number;
  /** Debt for unused days, which is written off. */
  readonly forgiven_minor: number;
  /** The periods that were settled; the last one is the newest. */
  readonly settled: readonly BillingPeriod[];
  readonly left: readonly BillingPeriod[];
}

interface Credit extends PaidPart {
  readonly to: CreditTo;
  /** Key of the period that it was paid for. */
  readonly of: string;
  /** A dispute holds the money: it pays for nothing. */
  readonly held: boolean;
}

const NOTHING_SETTLED: Omit<SettledPeriods, 'left'> = {
  parts: [],
  charged_minor: 0,
  credits: [],
  credited_minor: 0,
  forgiven_minor: 0,
  settled: [],
};

/** The earliest date on which a period that a change has ended is due; null without one. */
export function changeDue({ ended_periods }: StartedReceivable): Date | null {
  const dates = ended_periods.flatMap(({ changed }) => (changed === undefined ? [] : [changed.due]));
  return dates.reduce<Date | null>((first, date) => earlier(date, first), null);
}

/** The payments whose rest decides on a credit that is due: of a change, a pause or a stop. */
export function paymentsToCredit(receivable: Receivable, now: Date): readonly PaymentKey[] {
  if (!hasPeriods(receivable)) return [];
  const { period, ended_periods } = receivable;
  const running = period !== null && period.base_minor !== null ? [period] : [];
  return [...ended_periods, ...running]
    .filter((one) => isDue(one, now) || isCut(one, now))
    .flatMap(({ paid }) => paid);
}

/** The payments whose rest decides on the credit of a change made now. */
export function paymentsToChange(receivable: Receivable): readonly PaymentKey[] {
  if (!hasPeriods(receivable)) return [];
  const { period, ended_periods } = receivable;
  return [...ended_periods, ...(period === null ? [] : [period])].flatMap(({ paid }) => paid);
}

/** Settles the periods that a change has ended: used days that were not charged are charged, unused days are credited. */
export function settleChanged(
  schedule: Schedule,
  terms: Terms,
  receivable: StartedReceivable,
  now: Date,
  restOf: RestOf,
): SettledPeriods {
  const { ended_periods } = receivable;
  const due = ended_periods.filter((one) => isDue(one, now));
  if (due.length === 0) return { ...NOTHING_SETTLED, left: ended_periods };
  const books = new CreditBooks(receivable.outstanding_amount_minor, restOf);
  const each = due.map((period) => settleOne(schedule, terms, period, books));
  const credits = each.toReversed().flatMap((one) => one.credits);
  return {
    parts: each.flatMap(({ parts }) => parts),
    charged_minor: sum(each.map(({ charged_minor }) => charged_minor)),
    credits,
    credited_minor: payingMinor(credits),
    forgiven_minor: sum(each.map(({ forgiven_minor }) => forgiven_minor)),
    settled: due,
    left: ended_periods.filter((one) => !isDue(one, now)),
  };
}

type One = Pick<SettledPeriods, 'parts' | 'charged_minor' | 'credits' | 'forgiven_minor'>;

function settleOne(schedule: Schedule, terms: Terms, period: BillingPeriod, books: CreditBooks): One {
  const own = termsOfPeriod(terms, period);
  const { parts, amount_minor } = periodCharge(schedule, own, period, period.cuts.length);
  if (amount_minor >= 0) return { parts, charged_minor: amount_minor, credits: [], forgiven_minor: 0 };
  const { forgiven_minor, given } = books.credit(period, 0 - amount_minor);
  const to = period.changed?.credit ?? 'balance';
  const credits = given.map((part) => ({ ...part, to, of: periodKey(period), held: books.heldOf(part) > 0 }));
  const uncollected_minor = 0 - amount_minor - payingMinor(credits);
  const correction =
    uncollected_minor === 0 ? [] : [uncollectedPart(uncollected_minor, own.plan.currency, period.taxes)];
  return { parts: [...parts, ...correction], charged_minor: 0, credits, forgiven_minor };
}

/** Divides credits into what pays for the next charge and what is given back: the newest payments are given back. */
export function divideCredits(
  credits: readonly Credit[],
  needed_minor: number,
): { readonly moved: readonly PaidPart[]; readonly refunds: readonly Refund[] } {
  let excess = Math.max(0, payingMinor(credits) - needed_minor);
  const moved: PaidPart[] = [];
  const refunds: Refund[] = [];
  for (const { kind, slice, amount_minor, to, of, held } of credits) {
    const given = held ? amount_minor : Math.min(excess, amount_minor);
    excess -= held ? 0 : given;
    if (given > 0) {
      const key = `change-${of}`;
      const refund = { payment: { kind, slice }, key, amount_minor: given, reason: 'change' };
      refunds.push({ ...refund, to: to === 'balance' ? 'balance' : 'card' });
    }
    if (amount_minor > given) moved.unshift({ kind, slice, amount_minor: amount_minor - given });
  }
  return { moved, refunds };
}

/** The sum of the credits that can pay for a charge. */
function payingMinor(credits: readonly Credit[]): number {
  return sum(credits.map(({ amount_minor, held }) => (held ? 0 : amount_minor)));
}

function isDue({ changed }: BillingPeriod, now: Date): boolean {
  return changed !== undefined && changed.due <= now;
}

/** Whether a pause or stop of the period is not settled yet. */
function isCut(period: BillingPeriod, now: Date): boolean {
  return unsettledCuts(period).some(({ at, takes }) => takes === 'stop' && at <= now);
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((a, b) => a + b, 0);
}
