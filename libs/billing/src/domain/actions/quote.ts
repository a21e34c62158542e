import { fault } from '@commerce/kernel';

import { decideCycle } from '../cycle/cycle.js';
import type { Charge, Decision } from '../cycle/decision.js';
import { isHeldUp } from '../cycle/due-actions.js';
import { owing } from '../lifecycle/ending.js';
import type { Quote } from '../lifecycle/quote.js';
import { subscribedOf, withReceivable, type SubscriptionState } from '../lifecycle/subscription-state.js';
import { quoted } from '../lines/billing-period.js';
import type { HoldingOf } from '../lines/credit.js';
import type { PlanTerms, Terms } from '../pricing/terms.js';
import { chargesOf, collecting, withOpen, type OpenPayments } from '../receivable/open-payments.js';
import { periodsOf } from '../receivable/accounts.js';

/** The charge that a change or start would lead to. */
export type Charging = Extract<Decision, { readonly do: 'charge' }>;

/**
 * The charge that a change or start to this state leads to at once: its difference, or a setup fee above what is given
 * back; null for none. It depends on no other payment, and collects no debt by itself.
 */
export function chargeOf(
  state: SubscriptionState,
  terms: Terms,
  holdingOf: HoldingOf | undefined,
  now: Date,
): Charging | null {
  const open = collecting(state.receivable.open_payments);
  const owed = open === null ? state : owing(state, open);
  const open_payments = chargesOf(owed.receivable.open_payments);
  const alone = withReceivable<SubscriptionState>(owed, { open_payments, collect_debt: null });
  const own = terms.for(subscribedOf(alone));
  const decision = decideCycle(alone, own, true, now, holdingOf);
  if (decision.do === 'charge') return decision;
  if (decision.do !== 'change' && decision.do !== 'refund') return null;
  const given = decision.do === 'change' ? [] : decision.refunds.map(({ amount_minor }) => amount_minor);
  const next = decideCycle(decision.state, own, true, now, holdingOf);
  const isFee = next.do === 'charge' && next.charge.kind === 'setup';
  return isFee && next.charge.amount_minor > given.reduce((sum, one) => sum + one, 0) ? next : null;
}

/**
 * What is asked for first is not done unpaid while another payment stands in its way.
 * @throws Fault `payment.open`
 */
export function requireNoOpenPayment(
  state: SubscriptionState,
  plan: PlanTerms,
  what: 'change' | 'start',
): void {
  const { open_payments } = state.receivable;
  if (collecting(open_payments) === null && !isHeldUp(state, plan)) return;
  throw fault('payment.open', `The ${what} costs something, and another payment of the subscription is open`);
}

interface Quoted {
  readonly quote: Pick<Quote, 'number' | 'at' | 'prices'>;
  readonly charge: Charge;
  readonly open_payments: OpenPayments;
  readonly quotes: number;
}

/** The quote for what a change or start of `before` would lead to, and its payment, which alone is opened. */
export function quotedBy(
  { receivable }: SubscriptionState,
  of: Quote['of'],
  { state: paid, charge }: Charging,
  at: Date,
): Quoted {
  const open = collecting(paid.receivable.open_payments);
  if (open === null) throw new RangeError('The charge of a quote opens no payment');
  const quotes = receivable.quotes + 1;
  const kind = of === 'change' ? 'proration' : charge.kind;
  const key = { kind, period_key: `${of}-${String(quotes)}` } as const;
  const prices = quoted(periodsOf(paid));
  return {
    quote: { number: quotes, at, prices },
    charge: { ...charge, ...key },
    open_payments: withOpen(receivable.open_payments, { ...open, ...key }),
    quotes,
  };
}
