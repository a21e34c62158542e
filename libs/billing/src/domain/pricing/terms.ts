import type { TaxShare } from '@commerce/kernel';

import type { PlanIntervals } from '../calendar/calendar.js';
import type { PlanPriceInput } from './pricing.js';
import { sameDiscount, type Discount } from './discount.js';
import type { ProrationMode } from './proration.js';

/** The billing terms of a plan: fields of its record, amounts in minor units. */
export interface PlanTerms extends PlanIntervals {
  readonly currency: string;
  readonly prepay: boolean;
  readonly is_prorated: boolean;
  readonly setup_fee_minor: number;
  readonly trial_days: number;
  readonly auto_bill_amount: boolean;
  readonly initial_fail_amount_action: 'CONTINUE' | 'CANCEL';
  /** 0 or null: no limit. */
  readonly max_fail_attempts: number | null;
  readonly should_retry_payments: boolean;
  readonly max_payment_retries: number;
  readonly retry_payment_in_minutes: number;
}

/** The company's settings that affect billing. The timezone counts at the start only; see Schedule. */
export interface CompanyTerms {
  readonly timezone: string;
  readonly proration_mode: ProrationMode;
}

/** The plan, quantity and discount that a subscription is for; `plan` is its id. */
export interface Subscribed {
  readonly plan: string;
  readonly quantity: number;
  /** Absent without a coupon. */
  readonly discount?: Discount;
}

export function sameSubscribed(a: Subscribed, b: Subscribed): boolean {
  return a.plan === b.plan && a.quantity === b.quantity && sameDiscount(a.discount, b.discount);
}

/** A setup fee, VAT included, and the rates that divide it. */
export interface SetupFee {
  readonly amount_minor: number;
  readonly taxes: readonly TaxShare[];
}

/** The plan, quantity, settings and price by which a subscription is billed. */
export interface Terms {
  readonly plan: PlanTerms;
  /** Multiplies the price of the plan. */
  readonly quantity: number;
  readonly settings: CompanyTerms;
  /**
   * The current inputs of the price of one interval, `quantity` included, with the tax of a period that begins at `at`;
   * called only when an amount is needed.
   */
  price(at: Date): PlanPriceInput;
  /** The setup fee with its tax; absent where the rates of products are set by hand. */
  setup?(at: Date): SetupFee;
  /** The terms of another plan and quantity that the state of the subscription names: those before or after a change. */
  for(subscribed: Subscribed): Terms;
}
