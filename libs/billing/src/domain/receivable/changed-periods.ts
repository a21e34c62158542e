import { earlier, type Schedule } from '../calendar/schedule.js';
import { uncollectedPart, type PricedPart } from '../pricing/breakdown.js';
import type { Terms } from '../pricing/terms.js';
import { periodKey, type BillingPeriod, type CreditTo, type PaidPart } from './billing-period.js';
import type { Refund } from './credit.js';
import type { PaymentKey } from './open-payment.js';
import { periodCharge, termsOfPeriod } from './period-charge.js';
import { hasPeriods, type Receivable, type StartedReceivable } from './receivable.js';

/** The rest of a payment that has not been given back, in minor units. */
export type RestOf = (payment: PaymentKey) => number;

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

/** The payments whose rest decides on the credit of a change that is due. */
export function paymentsToCredit(receivable: Receivable, now: Date): readonly PaymentKey[] {
  if (!hasPeriods(receivable)) return [];
  return receivable.ended_periods.filter((one) => isDue(one, now)).flatMap(({ paid }) => paid);
}

/** The payments whose rest decides on the credit of a change made now. */
export function paymentsToChange(receivable: Receivable): readonly PaymentKey[] {
  if (!hasPeriods(receivable)) return [];
  const { period, ended_periods } = receivable;
  return [...ended_periods, ...(period === null ? [] : [period])].flatMap(({ paid }) => paid);
}

/**
 * Settles the periods that a change has ended: used days that were not charged are charged, unused days are credited.
 * The credit is the money that was collected for them and not given back yet; debt for them is written off first.
 */
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
  const rests = new Map<string, number>();
  const books: Books = { debt_minor: receivable.outstanding_amount_minor, rests, restOf };
  const each = due.map((period) => settleOne(schedule, terms, period, books));
  const credits = each.flatMap((one) => one.credits).reverse();
  return {
    parts: each.flatMap(({ parts }) => parts),
    charged_minor: sum(each.map(({ charged_minor }) => charged_minor)),
    credits,
    credited_minor: sum(credits.map(({ amount_minor }) => amount_minor)),
    forgiven_minor: sum(each.map(({ forgiven_minor }) => forgiven_minor)),
    settled: due,
    left: ended_periods.filter((one) => !isDue(one, now)),
  };
}

/** The debt and the payments that several periods share. */
interface Books {
  debt_minor: number;
  readonly rests: Map<string, number>;
  readonly restOf: RestOf;
}

type One = Pick<SettledPeriods, 'parts' | 'charged_minor' | 'credits' | 'forgiven_minor'>;

function settleOne(schedule: Schedule, terms: Terms, period: BillingPeriod, books: Books): One {
  const own = termsOfPeriod(terms, period);
  const { parts, amount_minor } = periodCharge(schedule, own, period, period.cuts.length);
  if (amount_minor >= 0) return { parts, charged_minor: amount_minor, credits: [], forgiven_minor: 0 };
  const credit = 0 - amount_minor;
  const forgiven_minor = Math.min(credit, period.owed_minor, books.debt_minor);
  books.debt_minor -= forgiven_minor;
  const credits = collected(period, credit - forgiven_minor, books);
  const uncollected = credit - sum(credits.map((one) => one.amount_minor));
  const correction = uncollected === 0 ? [] : [uncollectedPart(uncollected, own.plan.currency, period.taxes)];
  return { parts: [...parts, ...correction], charged_minor: 0, credits, forgiven_minor };
}

/** The money collected for a period, up to `credit`, in the order of its payments; the newest is taken first. */
function collected(period: BillingPeriod, credit: number, { rests, restOf }: Books): Credit[] {
  const to = period.changed?.credit ?? 'balance';
  const credits: Credit[] = [];
  let wanted = credit;
  for (const part of [...period.paid].reverse()) {
    const key = `${part.kind}/${part.slice}`;
    const rest = rests.get(key) ?? restOf(part);
    const amount_minor = Math.min(wanted, part.amount_minor, rest);
    if (amount_minor <= 0) continue;
    wanted -= amount_minor;
    rests.set(key, rest - amount_minor);
    credits.push({ kind: part.kind, slice: part.slice, amount_minor, to, of: periodKey(period) });
  }
  return credits.reverse();
}

/** Divides credits into what pays for the next charge and what is given back: the newest payments are given back. */
export function divideCredits(
  credits: readonly Credit[],
  needed_minor: number,
): { readonly moved: readonly PaidPart[]; readonly refunds: readonly Refund[] } {
  let excess = Math.max(0, sum(credits.map(({ amount_minor }) => amount_minor)) - needed_minor);
  const moved: PaidPart[] = [];
  const refunds: Refund[] = [];
  for (const { kind, slice, amount_minor, to, of } of credits) {
    const given = Math.min(excess, amount_minor);
    excess -= given;
    if (given > 0) {
      const key = `change-${of}`;
      const refund = { payment: { kind, slice }, key, amount_minor: given, reason: 'change' };
      refunds.push({ ...refund, to: to === 'balance' ? 'balance' : 'card' });
    }
    if (amount_minor > given) moved.unshift({ kind, slice, amount_minor: amount_minor - given });
  }
  return { moved, refunds };
}

function isDue({ changed }: BillingPeriod, now: Date): boolean {
  return changed !== undefined && changed.due <= now;
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((a, b) => a + b, 0);
}
