import { wholePeriodMinor, type PeriodPrice } from '../pricing/accrual.js';
import { planPrice } from '../pricing/pricing.js';
import type { Terms } from '../pricing/terms.js';
import type { BillingPeriod } from '../receivable/billing-period.js';
import type { RunningState, SubscriptionState } from '../lifecycle/subscription-state.js';

/** The charge of a whole period, and nothing else. */
export interface Renewal {
  readonly date: Date;
  readonly amount_minor: number;
}

/** `[from, to)`, and the least that the card provider charges. */
interface RenewalSpan {
  readonly from: Date;
  readonly to: Date;
  readonly minimum_minor: number;
}

/**
 * The charges up to `to` of a subscription that only renews: the decisions of billing without taking them one by one.
 * Null where a decision of another kind may come first. An overdue charge is dated `from`.
 */
export function renewalsOf(
  state: SubscriptionState,
  terms: Terms,
  { from, to, minimum_minor }: RenewalSpan,
): Renewal[] | null {
  if (!onlyRenews(state)) return null;
  const { schedule, receivable } = state;
  const { plan } = terms;
  // Where tax is decided, the price of a period depends on its start.
  const lasting = terms.setup === undefined ? lastingPrice(terms, from) : null;
  const found: Renewal[] = [];
  for (let index = receivable.next_period; ; index += 1) {
    const period = schedule.period(index);
    const { start, end } = period;
    if (schedule.end !== null && schedule.end <= start) return found;
    const isCut = schedule.end !== null && schedule.end < end;
    const due = plan.prepay ? start : isCut ? schedule.end : end;
    const date = due < from ? from : due;
    if (date >= to) return found;
    if (isCut) return null;
    const amount_minor = wholePeriodMinor(schedule, lasting ?? periodPrice(terms, start), period);
    // Such an amount joins the next charge.
    if (amount_minor > 0 && amount_minor < minimum_minor) return null;
    found.push({ date, amount_minor });
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

/** Whether a subscription has only whole periods left to charge: no trial, change, debt, open payment, setup fee or cut. */
function onlyRenews(state: SubscriptionState): state is RunningState {
  if (state.status !== 'ACTIVE' || !state.active || state.in_trial || state.pending_change !== null)
    return false;
  const { receivable, schedule } = state;
  const { open_payment, outstanding_amount_minor, collect_debt, setup_due } = receivable;
  const isClear = open_payment === null && collect_debt === null && setup_due === null;
  if (!isClear || outstanding_amount_minor !== 0 || receivable.ended_periods.length > 0) return false;
  const { period, next_period } = receivable;
  if (period === null) return true;
  if (!isPlain(period) || period.run !== schedule.run) return false;
  const isNext = period.index === next_period;
  if (period.base_minor === null) return isNext;
  // One that was charged up to an end that has moved since is charged again.
  return !isNext && period.end.getTime() === schedule.endOf(period).getTime();
}

function isPlain({ whole, cuts, credited_minor }: BillingPeriod): boolean {
  return whole && cuts.length === 0 && credited_minor === 0;
}
