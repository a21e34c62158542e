import { earlier, type Schedule } from '../calendar/schedule.js';
import { wholePeriodMinor, type PeriodPrice } from '../pricing/accrual.js';
import { planPrice } from '../pricing/pricing.js';
import type { Terms } from '../pricing/terms.js';
import type { BillingPeriod } from '../lines/billing-period.js';
import type { Timing } from '../lines/settlement.js';
import type { SubscriptionState } from '../lifecycle/subscription-state.js';
import type { ForecastCharge } from './forecast.js';

/** A subscription that has only whole periods left to charge, from the next one on. */
export interface Renewing {
  readonly schedule: Schedule;
  readonly timing: Timing;
  readonly next_period: number;
}

/** The fields of the newest period that decide whether only renewals follow it. */
type RenewedPeriod = Pick<BillingPeriod, 'run' | 'index' | 'start' | 'end' | 'settled_until' | 'bills'> & {
  readonly spans: readonly { readonly from: Date }[];
};

/** The facts of a running subscription that decide whether it only renews. */
export interface RenewalFacts extends Renewing {
  readonly active: boolean;
  readonly in_trial: boolean;
  readonly pending_change: object | null;
  readonly quote: object | null;
  readonly open_payments: readonly object[];
  readonly setup_due: unknown;
  readonly collect_debt: unknown;
  /** The debt, in any unit. */
  readonly outstanding: number;
  readonly periods: readonly RenewedPeriod[];
}

/** The time `[now, to)`, the date of the next decision, and the least that the card provider charges. */
interface RenewalSpan {
  readonly now: Date;
  readonly due: Date | null;
  readonly to: Date;
  readonly minimum_minor: number;
}

/**
 * The charges before `to` of a subscription that only renews: the decisions of billing without taking them one by one.
 * Null where a decision of another kind may come first. An overdue charge is dated `now`.
 */
export function renewalsOf(
  { schedule, timing, next_period }: Renewing,
  terms: Terms,
  { now, due: nextDue, to, minimum_minor }: RenewalSpan,
): ForecastCharge[] | null {
  if (nextDue === null || nextDue >= to) return [];
  const from = nextDue > now ? nextDue : now;
  const { plan } = terms;
  // Where tax is decided, the price of a period depends on its start.
  const lasting = terms.setup === undefined ? lastingPrice(terms, from) : null;
  const found: ForecastCharge[] = [];
  for (let index = next_period; ; index += 1) {
    const period = schedule.period(index);
    const { start, end } = period;
    if (schedule.end !== null && schedule.end <= start) return found;
    const isCut = schedule.end !== null && schedule.end < end;
    const due = timing === 'advance' ? start : isCut ? schedule.end : end;
    const date = due < from ? from : due;
    if (date >= to) return found;
    if (isCut) return null;
    const amount_minor = wholePeriodMinor(schedule, lasting ?? periodPrice(terms, start), period);
    // Such an amount joins the next charge.
    if (amount_minor > 0 && amount_minor < minimum_minor) return null;
    found.push({ date, amount_minor, credit_minor: 0, currency: plan.currency });
  }
}

const lastingPrices = new WeakMap<Terms, PeriodPrice>();

/** The price of all periods, which subscriptions with the same terms share. */
function lastingPrice(terms: Terms, start: Date): PeriodPrice {
  const price = lastingPrices.get(terms) ?? periodPrice(terms, start);
  lastingPrices.set(terms, price);
  return price;
}

/** The price of the periods that begin at a date. */
function periodPrice(terms: Terms, start: Date): PeriodPrice {
  const { price_minor, discounted } = planPrice(terms.price(start));
  const { currency, is_prorated } = terms.plan;
  return { price_minor, discounted, currency, is_prorated };
}

/** Null where anything but renewals may be left to charge: a trial, change, debt, open payment, setup fee or pause. */
export function renewingOf(state: SubscriptionState): Renewing | null {
  if (state.status !== 'ACTIVE') return null;
  const { active, in_trial, pending_change, quote, receivable } = state;
  const [line, ...others] = state.lines;
  if (others.length > 0) return null;
  const { open_payments, setup_due, collect_debt, outstanding_amount_minor: outstanding } = receivable;
  return onlyRenewing({
    ...{ active, in_trial, pending_change, quote, open_payments, setup_due, collect_debt },
    ...{ outstanding, ...line },
  });
}

/** As `renewingOf`, for a running subscription of which these facts are known. */
export function onlyRenewing(facts: RenewalFacts): Renewing | null {
  const { open_payments, outstanding, collect_debt, setup_due, periods, ...line } = facts;
  const { schedule, timing, next_period } = line;
  if (!facts.active || facts.in_trial || facts.pending_change !== null || facts.quote !== null) return null;
  const isClear = open_payments.length === 0 && collect_debt === null && setup_due === null;
  if (!isClear || outstanding !== 0) return null;
  const [period, ...others] = periods;
  if (period === undefined) return { schedule, timing, next_period };
  if (others.length > 0 || period.run !== schedule.run || period.spans.length !== 1) return null;
  // Nothing of the period is left to charge, or all of it.
  const isWhole = period.settled_until.getTime() === earlier(period.end, schedule.end).getTime();
  if (isWhole) return { schedule, timing, next_period };
  const isUnbilled = period.bills === 0 && period.spans[0]?.from.getTime() === period.start.getTime();
  return isUnbilled ? { schedule, timing, next_period: period.index } : null;
}
