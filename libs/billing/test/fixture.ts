import type { TaxBuyer, TaxSeller } from '@commerce/kernel';

import type { Discount } from '../src/domain/pricing/discount.js';
import type { CompanyTerms, PlanTerms } from '../src/domain/pricing/terms.js';

/** A plan in its stored form: amounts in major units. */
export type ScenarioPlan = Omit<PlanTerms, 'setup_fee_minor'> & { readonly setup_fee: number };

export const MONTHLY: ScenarioPlan = {
  interval_unit: 'MONTH',
  interval_count: 1,
  billing_interval: 'MONTH',
  billing_interval_count: 1,
  currency: 'EUR',
  prepay: true,
  is_prorated: true,
  setup_fee: 0,
  trial_days: 0,
  auto_bill_amount: true,
  initial_fail_amount_action: 'CONTINUE',
  max_fail_attempts: null,
  should_retry_payments: false,
  max_payment_retries: 4,
  retry_payment_in_minutes: 720,
};

/** A seller in the EU, and its customer at present. */
export interface ScenarioTax {
  readonly seller: TaxSeller;
  buyer: TaxBuyer;
}

export interface ScenarioFixture {
  readonly plan?: Partial<ScenarioPlan>;
  readonly settings?: Partial<CompanyTerms>;
  /** Other plans that the subscription may change to, by their names. */
  readonly plans?: Readonly<Record<string, Partial<ScenarioPlan> & { readonly price?: number }>>;
  /** Of one interval and quantity 1, major units. */
  readonly price?: number;
  readonly quantity?: number;
  readonly discount?: Discount;
  /** Decides tax by the rules of the EU; prices are then without VAT. */
  readonly tax?: ScenarioTax;
  /** The part of each price that an item `seat` has, up to the whole; the rest is for an item `support`. Major units. */
  readonly seat?: number;
}
