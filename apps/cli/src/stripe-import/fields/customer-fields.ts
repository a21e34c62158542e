import { ignored, inside, isOther, isSet, refused, type FieldTable } from './field-table.js';
import { PAST, RECORD, REPEATED, WORDS } from './shared-fields.js';

/** The fields of a customer. Where one is refused, the customer's subscriptions stay at Stripe. */
export const CUSTOMER_FIELDS: FieldTable = {
  id: 'read',
  object: 'read',
  address: 'read',
  balance: 'read',
  business_name: WORDS,
  cash_balance: refused('has cash at Stripe', (cash) => {
    const { available } = (cash ?? {}) as { available?: Readonly<Record<string, number>> | null };
    return Object.values(available ?? {}).some(isSet);
  }),
  created: RECORD,
  currency: 'read',
  customer_account: RECORD,
  default_source: 'read',
  deleted: 'read',
  delinquent: ignored('the status of a subscription says whether it is paid'),
  description: WORDS,
  discount: 'read',
  email: 'read',
  individual_name: WORDS,
  invoice_credit_balance: 'read',
  invoice_prefix: ignored('invoices are numbered anew'),
  invoice_settings: inside({
    custom_fields: WORDS,
    default_payment_method: 'read',
    footer: WORDS,
    rendering_options: WORDS,
  }),
  livemode: RECORD,
  metadata: 'read',
  name: 'read',
  next_invoice_sequence: ignored('invoices are numbered anew'),
  phone: WORDS,
  preferred_locales: WORDS,
  shipping: inside({
    address: 'read',
    carrier: WORDS,
    name: WORDS,
    phone: WORDS,
    tracking_number: WORDS,
  }),
  sources: REPEATED,
  subscriptions: ignored('subscriptions are objects of the export'),
  tax: inside({
    automatic_tax: ignored('the latest invoice shows what Stripe Tax adds'),
    ip_address: ignored('its location is read'),
    location: inside({
      country: 'read',
      source: REPEATED,
      state: ignored('VAT has one rate in a country'),
    }),
    provider: ignored('the latest invoice shows what it adds'),
  }),
  tax_exempt: 'read',
  tax_ids: 'read',
  test_clock: ignored('the option test-clock names one of this service'),
  // Older versions of the API.
  account_balance: refused('has a balance in a form that is not understood'),
  business_vat_id: refused('has a VAT id in a form that is not understood'),
  cards: REPEATED,
  default_card: refused('has a card in a form that is not understood'),
  default_currency: PAST,
  tax_info: refused('has a VAT id in a form that is not understood'),
  tax_info_verification: PAST,
};

/** The fields of a discount. */
export const DISCOUNT_FIELDS: FieldTable = {
  id: 'read',
  object: 'read',
  checkout_session: PAST,
  customer: REPEATED,
  customer_account: REPEATED,
  deleted: refused('is deleted'),
  end: 'read',
  invoice: refused('is for one invoice'),
  invoice_item: refused('is for one invoice'),
  promotion_code: ignored('the coupon behind it is read'),
  source: inside({ coupon: 'read', type: refused('is of a kind that is not understood', isOther('coupon')) }),
  start: 'read',
  subscription: REPEATED,
  subscription_item: REPEATED,
  // Older versions of the API.
  coupon: 'read',
};

/** The fields of a coupon. A discount that was given goes on whatever happens to its coupon. */
export const COUPON_FIELDS: FieldTable = {
  id: 'read',
  object: 'read',
  amount_off: 'read',
  applies_to: inside({ products: 'read' }),
  created: RECORD,
  currency: 'read',
  currency_options: 'read',
  deleted: ignored('discounts that it gave go on'),
  duration: 'read',
  duration_in_months: ignored('the end of the discount is read'),
  livemode: RECORD,
  max_redemptions: ignored('discounts that it gave go on'),
  metadata: WORDS,
  name: 'read',
  percent_off: 'read',
  redeem_by: ignored('discounts that it gave go on'),
  times_redeemed: PAST,
  valid: ignored('discounts that it gave go on'),
  // Older versions of the API.
  percent_off_precise: REPEATED,
};

/** The fields of a coupon's option in another currency. */
export const COUPON_OPTION_FIELDS: FieldTable = { amount_off: 'read' };
