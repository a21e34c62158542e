import { customerOf } from './customer-rules.js';
import type { StripePrice, StripeSubscription } from './stripe-objects.js';
import type { CarryContext } from './subscription-rules.js';

/** The objects of Stripe's API reference, without the fields that an import ignores. */
export const CUSTOMER = {
  id: 'cus_NffrFeUfNV2Hib',
  object: 'customer' as const,
  created: 1680893993,
  email: 'jennyrosen@example.com',
  invoice_settings: { custom_fields: null, default_payment_method: null, footer: null },
  livemode: false,
  metadata: {},
  name: 'Jenny Rosen',
};

export const PRODUCT = {
  id: 'prod_NWjs8kKbJWmuuc',
  object: 'product' as const,
  active: true,
  created: 1678833149,
  default_price: null,
  description: null,
  name: 'Gold Plan',
};

export const PRICE: StripePrice = {
  id: 'price_1MoBy5LkdIwHu7ixZhnattbh',
  object: 'price',
  billing_scheme: 'per_unit',
  currency: 'usd',
  product: 'prod_NWjs8kKbJWmuuc',
  recurring: { interval: 'month', interval_count: 1, usage_type: 'licensed' },
  tax_behavior: 'unspecified',
  transform_quantity: null,
  unit_amount: 1000,
};

const START = Date.UTC(2026, 0, 31, 10, 30) / 1000;
const END = Date.UTC(2026, 1, 28, 10, 30) / 1000;

export const SUBSCRIPTION: StripeSubscription & Readonly<Record<string, unknown>> = {
  id: 'sub_1MowQVLkdIwHu7ixeRlqHVzs',
  object: 'subscription',
  automatic_tax: { enabled: false },
  billing_cycle_anchor: START,
  cancel_at: null,
  cancel_at_period_end: false,
  collection_method: 'charge_automatically',
  current_period_end: END,
  customer: 'cus_NffrFeUfNV2Hib',
  default_payment_method: null,
  discounts: [],
  items: { data: [{ price: PRICE, quantity: 1 }], has_more: false },
  on_behalf_of: null,
  pause_collection: null,
  pending_update: null,
  schedule: null,
  start_date: START,
  status: 'active',
  transfer_data: null,
  trial_end: null,
};

/** The rest of an export, and a company whose rates are set by hand. */
export const CONTEXT: CarryContext = {
  now: new Date('2026-02-10T00:00:00Z'),
  customers: new Map([[CUSTOMER.id, customerOf(CUSTOMER)]]),
  options: new Map(),
  coupons: new Map(),
  products: new Map([[PRODUCT.id, { why: [], tax_code: null }]]),
  tax: { behavior: 'inclusive', seller: null, must_say_vat: false },
};

export function listOf(...data: readonly object[]): object {
  return { object: 'list', url: '/v1/things', has_more: false, data };
}
