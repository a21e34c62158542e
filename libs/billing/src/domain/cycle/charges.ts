import type { BillingPeriod } from '../lines/billing-period.js';
import type { HoldingOf } from '../lines/credit.js';
import type { Refund } from '../lines/period-credits.js';
import {
  settlePeriods,
  type PeriodsCharge,
  type SettledPeriods,
  type SettlementInput,
} from '../lines/settle-periods.js';
import { newestPeriod } from '../receivable/accounts.js';
import { collectable, withAwaitedCredit, type Receivable } from '../receivable/receivable.js';
import type { PaymentKey, PeriodShare } from '../lines/payment-key.js';
import { inFlight } from '../receivable/open-payment.js';
import { withOpen } from '../receivable/open-payments.js';
import { isQuoted } from '../lifecycle/quoted-state.js';
import { serviceEnd } from '../lines/line.js';
import { begunBy, hasNextPeriod } from '../lifecycle/periods.js';
import { withProration } from '../lifecycle/stopping.js';
import {
  boundsOf,
  isPaused,
  lineOf,
  subscribedOf,
  withReceivable,
  type BilledState,
  type SubscriptionState,
} from '../lifecycle/subscription-state.js';
import {
  breakdownOf,
  outstandingPart,
  setupPart,
  type Breakdown,
  type PricedPart,
} from '../pricing/breakdown.js';
import { taxesField } from '../pricing/part-tax.js';
import type { Terms } from '../pricing/terms.js';
import type { Transition } from '../lifecycle/transition.js';
import type { Decision } from './decision.js';
import { finishedIfDue } from './finish.js';

/** The inputs of a decision. */
export interface DecisionContext<S extends SubscriptionState = SubscriptionState> {
  readonly state: S;
  readonly terms: Terms;
  readonly now: Date;
  /** The money of each payment that a credit may be taken from. */
  readonly holdingOf: HoldingOf;
}

interface ChargeInput extends PaymentKey {
  /** Without the debt. */
  readonly parts: readonly PricedPart[];
  readonly own: readonly PeriodShare[];
  readonly counts: boolean;
  /** The part of the outstanding amount that is charged with them. */
  readonly debt_minor: number;
  readonly redeems: string | null;
  readonly period: { readonly start: Date; readonly end: Date };
}

/**
 * Begins the period that starts by then and takes the differences of all that are due: by one payment, by refunds or by
 * neither.
 */
export function settle(context: DecisionContext<BilledState>, at: Date): Decision {
  const { state: before, terms, now, holdingOf } = context;
  const settled = settleDue(begunBy(before, at), { terms, at, holdingOf });
  const { charge: bill, refunds } = settled;
  const after = withProration(settled.state, terms, now);
  if (bill === null)
    return givingBack(
      finishedIfDue({ state: after, event: 'subscription.updated' }, terms.plan, now),
      refunds,
    );
  return { ...chargePeriods({ ...context, state: withoutService(after, now) }, bill), refunds };
}

type SettledState<S extends BilledState> = Pick<SettledPeriods, 'charge' | 'refunds'> & { readonly state: S };

/** The state in which the differences of all periods that are due are taken: what it owes, and the books. */
export function settleDue<S extends BilledState>(
  before: S,
  given: Pick<SettlementInput, 'terms' | 'at' | 'holdingOf' | 'payment'>,
): SettledState<S> {
  const { open_payments, outstanding_amount_minor: owed_minor } = before.receivable;
  const {
    charge: bill,
    refunds,
    lines,
    forgiven_minor,
    awaited,
  } = settlePeriods({
    ...given,
    lines: before.lines,
    bounds: boundsOf(before),
    reason: isPaused(before) ? 'pause' : 'stop',
    awaited: open_payments.filter((open) => open.state === 'PROCESSING'),
    ...(isQuoted(before) && { keepsFrom: before.quote.at }),
  });
  const outstanding_amount_minor = owed_minor - forgiven_minor;
  const receivable = awaited.reduce(withAwaitedCredit, { ...before.receivable, outstanding_amount_minor });
  return { state: { ...before, lines, receivable }, charge: bill, refunds };
}

function chargePeriods(context: DecisionContext<BilledState>, bill: PeriodsCharge): Opened {
  const { state, terms, now } = context;
  const { kind, period_key, parts, own, period, ends } = bill;
  // The setup fee joins the first charge of a period that begins.
  const { setup_due } = state.receivable;
  const takesSetup = setup_due !== null && setup_due <= now && lineOf(state).timing === 'advance';
  return charge(
    { ...context, state: takesSetup ? withReceivable(state, SETUP_CHARGED) : state },
    {
      ...{ kind, period_key, own },
      parts: takesSetup ? [setupFee(terms, now), ...parts] : parts,
      counts: true,
      debt_minor: collectable(state.receivable, terms.plan.auto_bill_amount),
      redeems: couponOf(period),
      period: { start: period.start, end: ends.settled },
    },
  );
}

/** The coupon whose discount the period has, or had last. */
function couponOf({ terms }: BillingPeriod): string | null {
  const last = terms.findLast(({ subscribed }) => subscribed.discount !== undefined);
  return last?.subscribed.discount?.coupon ?? null;
}

/** Service ends with the last period, with or without a payment. */
function withoutService(state: BilledState, now: Date): BilledState {
  if (isPaused(state) || hasNextPeriod(state)) return state;
  const end = serviceEnd(lineOf(state), boundsOf(state));
  return end !== null && end <= now ? { ...state, active: false } : state;
}

/** A decision without a charge, which gives back what it owes. */
function givingBack(after: Transition, refunds: readonly Refund[]): Decision {
  return refunds.length === 0 ? { do: 'change', ...after } : { do: 'refund', ...after, refunds };
}

type Opened = Extract<Decision, { readonly do: 'charge' }>;

/** Charges the setup fee by itself. */
export function chargeSetup(context: DecisionContext): Decision {
  return charge(
    { ...context, state: withReceivable(context.state, SETUP_CHARGED) },
    {
      kind: 'setup',
      period_key: 'setup',
      parts: [setupFee(context.terms, context.now)],
      own: [],
      counts: false,
      debt_minor: 0,
      // No discount touches the setup fee.
      redeems: null,
      period: { start: context.now, end: context.now },
    },
  );
}

/** Charges the whole debt to a new payment method. */
export function chargeDebts(context: DecisionContext): Decision {
  const { state, now } = context;
  const { receivable } = state;
  const debts = receivable.debts + 1;
  const running = newestPeriod(state);
  return charge(
    { ...context, state: withReceivable(state, { debts }) },
    {
      kind: 'period',
      period_key: `debt-${debts}`,
      parts: [],
      own: [],
      counts: receivable.collect_debt?.counts ?? false,
      debt_minor: receivable.outstanding_amount_minor,
      redeems: subscribedOf(state).discount?.coupon ?? null,
      period: { start: running?.start ?? now, end: running?.end ?? now },
    },
  );
}

/** The breakdown of a payment that collects debt alone. */
export function debtBreakdown(debt_minor: number, currency: string): Breakdown {
  return breakdownOf(currency, [outstandingPart(debt_minor, currency)]).breakdown;
}

function charge({ state, now }: DecisionContext, input: ChargeInput): Opened {
  const { kind, period_key, own: shares, counts, debt_minor, redeems, period } = input;
  const { currency, outstanding_amount_minor, collect_debt } = state.receivable;
  const parts = [...input.parts, ...debtParts(state.receivable, debt_minor)];
  const { amount_minor, breakdown } = breakdownOf(currency, parts);
  const own = input.parts.map(({ part }) => part);
  const collectsAll = debt_minor > 0 && debt_minor === outstanding_amount_minor;
  const opened = { kind, period_key, amount_minor, debt_minor, own: shares, since: now, counts, attempts: 1 };
  const open = inFlight({ ...opened, ...taxesField(own, currency) }, 1);
  const open_payments = withOpen(state.receivable.open_payments, open);
  const { start: period_start, end: period_end } = period;
  return {
    do: 'charge',
    refunds: [],
    // A payment that collects the debt leaves nothing for a new payment method to collect.
    state: withReceivable(state, { open_payments, collect_debt: collectsAll ? null : collect_debt }),
    event: 'subscription.updated',
    charge: {
      ...{ kind, period_key, amount_minor, debt_minor, period_start, period_end, breakdown, redeems },
      off_session: true,
    },
  };
}

const SETUP_CHARGED = { setup_due: null, setup_charged: true };

function setupFee(terms: Terms, now: Date): PricedPart {
  const { plan } = terms;
  const taxed = terms.setup?.(now);
  return setupPart(taxed?.amount_minor ?? plan.setup_fee_minor, plan.currency, taxed?.taxes);
}

function debtParts({ currency, debt_taxes }: Receivable, debt_minor: number): PricedPart[] {
  return debt_minor > 0 ? [outstandingPart(debt_minor, currency, debt_taxes)] : [];
}
