import type { TakeOverFacts } from '@commerce/billing';

import type { CarriedCustomer } from './customer-rules.js';
import { dateRefusals, factsOf, resumedFacts } from './date-rules.js';
import { discountOf, type CarriedDiscount } from './discount-rules.js';
import { PRODUCT_FIELDS } from './fields/catalog-fields.js';
import { refusalsOf } from './fields/field-table.js';
import { SUBSCRIPTION_FIELDS } from './fields/subscription-fields.js';
import { intervalOf, planOf, pricedItems, type CarriedPlan, type PricedItems } from './item-rules.js';
import { taxCodeProblem, taxOf, type CompanyTax } from './tax-rules.js';
import {
  idOf,
  readable,
  type StripeCoupon,
  type StripeCurrencyOptions,
  type StripeItem,
  type StripeProduct,
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
  /** The products in the export. */
  readonly products: ReadonlyMap<string, JudgedProduct>;
  readonly tax: CompanyTax;
}

/** The consequences of a product's fields for its subscriptions. */
export interface JudgedProduct {
  /** Why its subscriptions stay at Stripe. */
  readonly why: readonly string[];
  /** Why Stripe Tax may tax it differently; null: at the standard rate. */
  readonly tax_code: string | null;
}

/** Judges whether the subscriptions to a product can be imported. */
export function judgeOf(product: StripeProduct): JudgedProduct {
  return { why: refusalsOf(PRODUCT_FIELDS, product, product.id), tax_code: taxCodeProblem(product) };
}

const ENDED = new Set(['canceled', 'incomplete_expired']);

/** Decides whether a subscription continues here unchanged, or stays at Stripe for the given reasons. */
export function carryOver(from: StripeSubscription, context: CarryContext): Carried {
  const found = readable(from, () => decide(from, context));
  return typeof found === 'string' ? { kind: 'left', why: [found] } : found;
}

function decide(from: StripeSubscription, context: CarryContext): Carried {
  if (ENDED.has(from.status)) return { kind: 'ended' };
  const customer_id = idOf(from.customer) ?? '';
  const customer = context.customers.get(customer_id);
  const payment_method =
    idOf(from.default_payment_method) ?? idOf(from.default_source) ?? customer?.method ?? null;
  const priced = pricedItems(from, context.options);
  const why = [
    ...refusals(from, payment_method),
    ...priced.why,
    ...(customer?.why ?? [missingCustomer(customer_id)]),
    ...productRefusals(from, priced.items, context),
  ];
  const found = customer === undefined ? [] : termsOf(from, priced, customer, context);
  if (isReasons(found) || why.length > 0) {
    return { kind: 'left', why: [...new Set([...why, ...(isReasons(found) ? found : [])])] };
  }
  return { kind: 'carried', subscription: { id: from.id, customer: customer_id, payment_method, ...found } };
}

type CarriedTerms = Pick<CarriedSubscription, 'plan' | 'quantity' | 'discount' | 'facts'>;

/** The plan, the dates and the discount; the reasons where they would be others here. */
function termsOf(
  from: StripeSubscription,
  { items }: PricedItems,
  customer: CarriedCustomer,
  context: CarryContext,
): CarriedTerms | readonly string[] {
  const interval = intervalOf(items);
  const running = factsOf(from);
  if (typeof interval === 'string' || typeof running === 'string') return [interval, running].filter(isText);
  const facts = resumedFacts(from, running, interval);
  if (typeof facts === 'string') return [facts];
  const tax = taxOf(from, items, customer, context.tax, facts.next_date);
  const why = dateRefusals(from, facts, interval, context.now);
  if (isReasons(tax)) return [...why, ...tax];
  const priced = planOf(items, interval, tax);
  if (typeof priced === 'string') return [...why, priced];
  const { plan, quantity } = priced;
  const given = { of_customer: customer.discount, coupons: context.coupons };
  const discount = discountOf(from, given, plan, facts);
  why.push(...balanceRefusals(plan, customer), ...(isReasons(discount) ? discount : []));
  return isReasons(discount) || why.length > 0 ? why : { plan, quantity, discount, facts };
}

function isText(found: unknown): found is string {
  return typeof found === 'string';
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

function balanceRefusals(plan: CarriedPlan, { balance_currency }: CarriedCustomer): string[] {
  if (balance_currency === null || balance_currency.toUpperCase() === plan.currency) return [];
  return [`its customer may have a balance in ${plan.currency}: expand invoice_credit_balance`];
}

/** Of a product that is not in the export, only Stripe Tax knows what may matter. */
function productRefusals(
  { automatic_tax }: StripeSubscription,
  items: readonly StripeItem[],
  { products, tax }: CarryContext,
): string[] {
  const isTaxed = automatic_tax?.enabled === true && tax.seller !== null;
  return items.flatMap(({ price }) => {
    const id = idOf(price.product) ?? '';
    const known = products.get(id);
    if (known === undefined) return isTaxed ? [`the tax code of its product ${id} is not in the export`] : [];
    return isTaxed && known.tax_code !== null ? [...known.why, known.tax_code] : known.why;
  });
}
