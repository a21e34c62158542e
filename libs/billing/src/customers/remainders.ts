import type { TaxShare } from '@commerce/kernel';
import { toMinor } from '@commerce/kernel';

import { withDerivedFields } from '../domain/cycle/derived-fields.js';
import { withReceivable, type SubscriptionState } from '../domain/lifecycle/subscription-state.js';
import { addedTaxes } from '../domain/pricing/part-tax.js';
import { planPrice } from '../domain/pricing/pricing.js';
import type { Terms } from '../domain/pricing/terms.js';
import type { BillingPeriod } from '../domain/lines/billing-period.js';
import { eachPeriod } from '../domain/receivable/accounts.js';
import { stateOf } from '../subscription-record/subscription-state.adapter.js';
import type { SubscriptionRecord } from '../subscription-record/subscription.record.js';

/** A debt with which a subscription ended and that no card can be charged for by itself. */
export interface Remainder {
  readonly before: SubscriptionRecord;
  /** The ended subscription without it. */
  readonly without: SubscriptionState;
  readonly amount_minor: number;
  readonly taxes: readonly TaxShare[];
}

/** Whether the subscription has ended with debt that is below the minimum, or that was too small when it was charged. */
export function isRemainder(
  { outstanding_amount, carried_amount, currency, due, open_payments }: SubscriptionRecord,
  minimum_minor: number,
): boolean {
  if (due !== null || open_payments.length > 0) return false;
  const owed_minor = toMinor(outstanding_amount, currency);
  return owed_minor < minimum_minor || owed_minor === toMinor(carried_amount, currency);
}

/** The remainder of an ended subscription; rates that its debt does not state are those of its plan. */
export function remainderOf(before: SubscriptionRecord, terms: Terms): Remainder {
  const state = stateOf(before, terms.plan);
  const { outstanding_amount_minor: amount_minor, debt_taxes } = state.receivable;
  const rates = planPrice(terms.price(before.created)).priced?.vat ?? [];
  const ofPlan = rates.map(({ rate, tax, gross_minor: weight }) => ({
    ...{ rate, weight },
    ...(tax === undefined ? {} : { tax }),
  }));
  return { before, amount_minor, taxes: debt_taxes ?? ofPlan, without: withoutDebt(state, terms) };
}

/** The state of a subscription that starts with these debts: its next charge includes them. */
export function withRemainders<S extends SubscriptionState>(state: S, remainders: readonly Remainder[]): S {
  return remainders.reduce((before, { amount_minor, taxes }) => {
    const { outstanding_amount_minor, carried_amount_minor, debt_taxes } = before.receivable;
    const joined = addedTaxes(outstanding_amount_minor, debt_taxes, taxes);
    return withReceivable(before, {
      outstanding_amount_minor: outstanding_amount_minor + amount_minor,
      carried_amount_minor: carried_amount_minor + amount_minor,
      ...(joined === undefined ? {} : { debt_taxes: joined }),
    } as Partial<S['receivable']>);
  }, state);
}

function withoutDebt(state: SubscriptionState, { plan }: Terms): SubscriptionState {
  const { debt_taxes: _taxes, ...receivable } = state.receivable;
  const nothing = { ...receivable, outstanding_amount_minor: 0, carried_amount_minor: 0 };
  return withDerivedFields(eachPeriod({ ...state, receivable: nothing }, forgiven), plan);
}

/** What a period asked for and another subscription collects is owed for it no more. */
function forgiven(period: BillingPeriod): BillingPeriod {
  const books = period.books.map((entry) => ({ ...entry, forgiven: entry.asked - entry.paid }));
  return { ...period, books };
}
