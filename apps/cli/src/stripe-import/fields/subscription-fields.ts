import { ignored, inside, isOther, isSet, refused, type FieldTable } from './field-table.js';
import { PAST, RECORD, REPEATED, SHOP, WORDS } from './shared-fields.js';

const ISSUED_BY_OTHER = refused(
  'has invoices that another account issues',
  (issuer) => isSet(issuer) && (issuer as { type?: unknown }).type !== 'self',
);

/** The anchor itself is read. */
const ANCHOR = REPEATED;

/** The fields of a subscription. */
export const SUBSCRIPTION_FIELDS: FieldTable = {
  id: 'read',
  object: 'read',
  application: ignored('the fee of an app has a field of its own'),
  application_fee_percent: refused('collects an application fee'),
  automatic_tax: inside({
    enabled: 'read',
    disabled_reason: ignored('tax that is disabled is none'),
    liability: refused(
      'has a tax that another account owes',
      (liability) => isSet(liability) && (liability as { type?: unknown }).type !== 'self',
    ),
  }),
  billing_cycle_anchor: 'read',
  billing_cycle_anchor_config: inside({
    day_of_month: 'read',
    hour: ANCHOR,
    minute: ANCHOR,
    month: ANCHOR,
    second: ANCHOR,
  }),
  billing_mode: ignored('it decides how changes at Stripe are prorated'),
  billing_schedules: refused('is billed by a schedule of its own'),
  billing_thresholds: refused('is billed at a threshold of usage'),
  cancel_at: 'read',
  cancel_at_period_end: 'read',
  canceled_at: PAST,
  cancellation_details: PAST,
  collection_method: refused('is paid by invoice, not by card', isOther('charge_automatically')),
  created: RECORD,
  currency: 'read',
  customer: 'read',
  customer_account: ignored('a subscription without a customer is refused'),
  days_until_due: ignored('it matters to invoices sent by mail, which are refused'),
  default_payment_method: 'read',
  default_source: 'read',
  default_tax_rates: 'read',
  description: WORDS,
  discounts: 'read',
  ended_at: PAST,
  invoice_settings: inside({
    account_tax_ids: WORDS,
    custom_fields: WORDS,
    description: WORDS,
    footer: WORDS,
    issuer: ISSUED_BY_OTHER,
  }),
  items: 'read',
  latest_invoice: 'read',
  livemode: ignored('a live export may be tried in a company of test mode'),
  managed_payments: refused(
    'is sold by Stripe as the merchant of record',
    (managed) => (managed as { enabled?: unknown } | null)?.enabled === true,
  ),
  metadata: WORDS,
  next_pending_invoice_item_invoice: refused('has invoice items that are billed apart'),
  on_behalf_of: refused('sends its money to another account'),
  pause_collection: inside({ behavior: 'read', resumes_at: 'read' }),
  payment_settings: inside({
    payment_method_options: refused('has a mandate that limits its card', (options) =>
      isSet((options as { card?: { mandate_options?: unknown } } | null)?.card?.mandate_options),
    ),
    payment_method_types: refused(
      'is not paid by card',
      (types) => isSet(types) && !(types as unknown[]).some((type) => type === 'card' || type === 'link'),
    ),
    save_default_payment_method: ignored('it matters to payments at Stripe'),
  }),
  pending_invoice_item_interval: refused('has invoice items that are billed apart'),
  pending_setup_intent: ignored('a card that is not set up is no default'),
  pending_update: refused('has an update that awaits its payment'),
  presentment_details: inside({ presentment_currency: 'read' }),
  schedule: refused('is changed by a schedule'),
  start_date: 'read',
  status: 'read',
  status_details: REPEATED,
  test_clock: ignored('the option test-clock names one of this service'),
  transfer_data: refused('sends its money to another account'),
  trial_end: 'read',
  trial_settings: inside({
    end_behavior: inside({
      billing_cycle_anchor: ignored('a trial that ends on another date than the anchor is refused'),
      missing_payment_method: 'read',
    }),
  }),
  trial_start: PAST,
  // Older versions of the API.
  billing: refused('is paid by invoice, not by card', isOther('charge_automatically')),
  current_period_end: 'read',
  current_period_start: PAST,
  discount: 'read',
  invoice_customer_balance_settings: ignored('it matters to invoices that are voided'),
  plan: REPEATED,
  prebilling: refused('is billed several periods ahead'),
  quantity: REPEATED,
  start: PAST,
  tax_percent: 'read',
};

/** The fields of an item. */
export const ITEM_FIELDS: FieldTable = {
  id: 'read',
  object: 'read',
  billed_until: 'read',
  billing_thresholds: refused('is billed at a threshold of usage'),
  created: RECORD,
  current_period_end: 'read',
  current_period_start: PAST,
  current_trial: refused('is in a trial of its own'),
  deleted: refused('is deleted'),
  discounts: 'read',
  metadata: WORDS,
  plan: REPEATED,
  price: 'read',
  quantity: 'read',
  subscription: REPEATED,
  tax_rates: 'read',
};

/** The fields of a rate of tax that the merchant set. */
export const TAX_RATE_FIELDS: FieldTable = {
  id: 'read',
  object: 'read',
  active: SHOP,
  country: WORDS,
  created: RECORD,
  deleted: SHOP,
  description: WORDS,
  display_name: WORDS,
  effective_percentage: ignored('it matters to Stripe Tax, whose invoices are read'),
  flat_amount: refused('is an amount, not a percentage'),
  inclusive: 'read',
  jurisdiction: WORDS,
  jurisdiction_level: WORDS,
  livemode: RECORD,
  metadata: WORDS,
  percentage: 'read',
  rate_type: refused('is an amount, not a percentage', isOther('percentage')),
  state: WORDS,
  tax_type: WORDS,
};
