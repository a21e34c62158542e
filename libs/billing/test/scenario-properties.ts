import { isDeepStrictEqual } from 'node:util';

import { toMinor } from '@commerce/kernel';
import { newId } from '@commerce/records';

import { decideCycle } from '../src/domain/cycle/cycle.js';
import type { Charge } from '../src/domain/cycle/decision.js';
import type { SubscriptionState } from '../src/domain/lifecycle/subscription-state.js';
import { recompute } from '../src/domain/pricing/breakdown.js';
import { explainBreakdown } from '../src/domain/pricing/explanation.js';
import { suppliesOf, type SupplyContext } from '../src/domain/pricing/supplies.js';
import { quoteNumber } from '../src/domain/receivable/open-payment.js';
import { chargesOf, openNamed } from '../src/domain/receivable/open-payments.js';
import type { PlanTerms, Terms } from '../src/domain/pricing/terms.js';
import { changesOf, stateOf } from '../src/subscription-record/subscription-state.adapter.js';

const _id = newId();

/** Before the due date, billing has nothing to do. */
export function holdUntilDue(state: SubscriptionState, terms: Terms, canPay: boolean): void {
  const { due } = state.derived;
  if (due === null) return;
  const early = decideCycle(state, terms, canPay, new Date(due.getTime() - 1));
  if (early.do !== 'nothing') throw new Error('it is billed before it is due');
  if (early.due?.getTime() !== due.getTime()) throw new Error('due is not what is next');
}

const UNNAMED: SupplyContext = {
  nameOf: (product) => product,
  planName: 'plan',
  credit_minor: 0,
  chargedAt: () => null,
  plan: () => [{ name: 'plan', rate: 0, weight: 1 }],
};

/** The breakdown of a charge leads back to its amount, and its period runs forward. */
export function holdCharge(key: string, { amount_minor, breakdown, period_start, period_end }: Charge): void {
  if (amount_minor < 0) throw new Error(`${key} is negative`);
  if (recompute(breakdown) !== amount_minor) throw new Error(`${key} does not add up`);
  const { currency } = breakdown;
  const { lines } = explainBreakdown(breakdown, (product) => product);
  const sum = lines.reduce((total, { amount }) => total + toMinor(amount ?? 0, currency), 0);
  if (sum !== amount_minor) throw new Error(`${key} is explained by lines that do not add up`);
  const supplied = suppliesOf(breakdown, UNNAMED).reduce((total, { total_minor }) => total + total_minor, 0);
  if (supplied !== amount_minor) throw new Error(`${key} is for supplies that do not add up`);
  if (period_end < period_start) throw new Error(`${key} is for a period that runs backward`);
}

/** A charge in flight is waited for; the payment of a quote holds nothing up. */
export function holdInFlight({ derived, receivable }: SubscriptionState, charge: Charge): void {
  const open = openNamed(receivable.open_payments, charge);
  if (open?.state !== 'IN_FLIGHT' || (derived.due !== null && quoteNumber(open) === null)) {
    throw new Error('a payment in flight is waited for');
  }
}

/** The properties of every state that a subscription can reach. */
export function holdAfter(state: SubscriptionState, plan: PlanTerms): void {
  const { status, receivable, derived } = state;
  const charges = chargesOf(receivable.open_payments);
  const inFlight = charges.some((one) => one.state === 'IN_FLIGHT');
  const isAwaited = charges.some((one) => one.state === 'PROCESSING');
  if (inFlight && derived.due !== null) throw new Error('a payment in flight is waited for');
  const goesOn = ['FUTURE', 'NON_RENEWING', 'ACTIVE'].includes(status);
  if (goesOn && !inFlight && !isAwaited && derived.due === null) throw new Error(`${status} is stuck`);
  if (receivable.outstanding_amount_minor < 0) throw new Error('less than nothing is owed');
  if (derived.collection_state === 'OK' && receivable.outstanding_amount_minor > 0 && !inFlight)
    throw new Error('owed, yet OK');
  const stored = changesOf(state);
  const granted = status === 'ACTIVE' || status === 'NON_RENEWING';
  if (stored.active && !granted) throw new Error(`${status} is active`);
  const set = [stored.infinite, stored.ending_date !== null, stored.interval_total !== null];
  if (set.filter(Boolean).length > 1) throw new Error('two terms at once');
  if (!isDeepStrictEqual(stateOf({ _id, ...stored }, plan), state))
    throw new Error(`${status} does not come back from its record as it was`);
}
