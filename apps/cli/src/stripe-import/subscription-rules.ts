import type { TakeOverFacts } from '@commerce/billing';

import type { CarriedCustomer } from './customer-rules.js';
import { dateRefusals, factsOf, resumedFacts } from './date-rules.js';
import { discountOf, type CarriedDiscount } from './discount-rules.js';
import { refusalsOf } from './fields/field-table.js';
import { SUBSCRIPTION_FIELDS } from './fields/subscription-fields.js';
import { planOf, pricedItems, quantityApart, type CarriedPlan } from './item-rules.js';
import { taxRefusals, type CompanyTax } from './tax-rules.js';
import {
  idOf,
  type StripeCoupon,
  type StripeCurrencyOptions,
  type StripeItem,
  type StripeSubscription,
} from './stripe-objects.js';

export interface CarriedSubscription {
  readonly id: string;
  readonly customer: string;
  readonly payment_method: string | null;
  readonly plan: CarriedPlan;
  readonly quantity: number;
  readonly discount: CarriedDiscount | null;
  readonly facts: TakeOverFacts;
}

export type Carried =
  | { readonly kind: 'carried'; readonly subscription: CarriedSubscription }
  | { readonly kind: 'ended' }
  | { readonly kind: 'left'; readonly why: readonly string[] };

/** The rest of the export, the company and its time, by which a subscription is judged. */
export interface CarryContext {
  readonly now: Date;
  /** The imported customers of the export. */
  readonly customers: ReadonlyMap<string, CarriedCustomer>;
  /** The amounts in other currencies of the prices in the export. */
  readonly options: ReadonlyMap<string, StripeCurrencyOptions>;
  readonly coupons: ReadonlyMap<string, StripeCoupon>;
  /** The products in the export that Stripe Tax may tax differently, each with the reason. */
  readonly taxed: ReadonlyMap<string, string>;
  readonly tax: CompanyTax;
}

const ENDED = new Set(['canceled', 'incomplete_expired']);

/** Decides whether a subscription continues here unchanged, or stays at Stripe for the given reasons. */
export function carryOver(from: StripeSubscription, context: CarryContext): Carried {
  if (ENDED.has(from.status)) return { kind: 'ended' };
  const customer_id = idOf(from.customer) ?? '';
  const customer = context.customers.get(customer_id);
  const priced = pricedItems(from, context.options);
  const { items, quantity } = quantityApart(priced.items);
  const plan = planOf(items);
  const running = factsOf(from);
  const facts =
    typeof plan === 'string' || typeof running === 'string' ? running : resumedFacts(from, running, plan);
  const payment_method =
    idOf(from.default_payment_method) ?? idOf(from.default_source) ?? customer?.method ?? null;
  const why = [
    ...refusals(from, payment_method),
    ...priced.why,
    ...(customer?.why ?? [missingCustomer(customer_id)]),
    ...(typeof plan === 'string' ? [plan] : []),
    ...(typeof facts === 'string' ? [facts] : []),
  ];
  if (typeof facts !== 'string' && customer !== undefined) {
    why.push(...balanceRefusals(plan, customer));
    why.push(...taxRefusals(from, priced.items, customer, context.tax, facts.next_date));
    why.push(...codeRefusals(from, priced.items, context));
  }
  if (typeof plan === 'string' || typeof facts === 'string') return { kind: 'left', why: [...new Set(why)] };
  const given = { of_customer: customer?.discount ?? null, coupons: context.coupons };
  const discount = discountOf(from, given, plan, facts);
  why.push(...dateRefusals(from, facts, plan, context.now), ...(isReasons(discount) ? discount : []));
  if (why.length > 0 || isReasons(discount)) return { kind: 'left', why: [...new Set(why)] };
  const subscription = {
    ...{ id: from.id, customer: customer_id, payment_method },
    ...{ plan, quantity, discount, facts },
  };
  return { kind: 'carried', subscription };
}

function isReasons(found: unknown): found is readonly string[] {
  return Array.isArray(found);
}

/** The features of a subscription that would be charged differently here. */
function refusals(from: StripeSubscription, payment_method: string | null): string[] {
  const { status, trial_settings, presentment_details, currency } = from;
  const presented = presentment_details?.presentment_currency ?? currency;
  const after_trial = trial_settings?.end_behavior?.missing_payment_method ?? 'create_invoice';
  const rules: readonly (readonly [boolean, string])[] = [
    [!['active', 'trialing'].includes(status), `it is ${status}: settle that at Stripe first`],
    [presented !== currency, `it is charged in ${String(presented).toUpperCase()} at Stripe's rate`],
    [
      status === 'trialing' && payment_method === null && after_trial !== 'create_invoice',
      `it has no payment method and makes no invoice at the end of its trial (${after_trial})`,
    ],
    [from.items.data.length === 0, 'it has no items'],
    [from.items.has_more === true, 'the export holds a part of its items only'],
  ];
  return [
    ...refusalsOf(SUBSCRIPTION_FIELDS, from, 'it'),
    ...rules.filter(([applies]) => applies).map(([, why]) => why),
  ];
}

/** The card, the discount and the balance of a customer that is not in the export are not known. */
function missingCustomer(id: string): string {
  return id === '' ? 'it names no customer' : `its customer ${id} stays at Stripe or is not in the export`;
}

function balanceRefusals(plan: CarriedPlan | string, { balance_currency }: CarriedCustomer): string[] {
  if (typeof plan === 'string' || balance_currency === null) return [];
  if (balance_currency.toUpperCase() === plan.currency) return [];
  return [`its customer may have a balance in ${plan.currency}: expand invoice_credit_balance`];
}

function codeRefusals(
  { automatic_tax }: StripeSubscription,
  items: readonly StripeItem[],
  { taxed, tax }: CarryContext,
): string[] {
  if (automatic_tax?.enabled !== true || tax.seller === null) return [];
  return items.flatMap(({ price }) => taxed.get(idOf(price.product) ?? '') ?? []);
}
