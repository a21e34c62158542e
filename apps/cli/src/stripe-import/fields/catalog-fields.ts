import { ignored, inside, isOther, refused, type FieldTable } from './field-table.js';
import { RECORD, SHOP, WORDS } from './shared-fields.js';

const TIERS = refused('has tiers');

/** The fields of a price. */
export const PRICE_FIELDS: FieldTable = {
  id: 'read',
  object: 'read',
  active: SHOP,
  billing_scheme: refused('has tiers', isOther('per_unit')),
  created: RECORD,
  currency: 'read',
  currency_options: 'read',
  custom_unit_amount: refused('has an amount that customers choose'),
  deleted: SHOP,
  livemode: RECORD,
  lookup_key: SHOP,
  metadata: WORDS,
  nickname: WORDS,
  product: 'read',
  recurring: inside({
    interval: 'read',
    interval_count: 'read',
    meter: refused('is charged by use'),
    trial_period_days: SHOP,
    usage_type: refused('is charged by use', isOther('licensed')),
    // Older versions of the API.
    aggregate_usage: refused('is charged by use'),
  }),
  tax_behavior: 'read',
  tiers: TIERS,
  tiers_mode: TIERS,
  transform_quantity: refused('is charged by packages'),
  type: ignored('a price without an interval is refused'),
  unit_amount: 'read',
  unit_amount_decimal: ignored('a price without whole cents is refused'),
};

/** The fields of a price's option in another currency. */
export const CURRENCY_OPTION_FIELDS: FieldTable = {
  custom_unit_amount: refused('has an amount that customers choose'),
  tax_behavior: 'read',
  tiers: TIERS,
  unit_amount: 'read',
  unit_amount_decimal: ignored('a price without whole cents is refused'),
};

/** The fields of a product. */
export const PRODUCT_FIELDS: FieldTable = {
  id: 'read',
  object: 'read',
  active: 'read',
  created: RECORD,
  default_price: 'read',
  deleted: 'read',
  description: 'read',
  images: WORDS,
  livemode: RECORD,
  marketing_features: WORDS,
  metadata: WORDS,
  name: 'read',
  package_dimensions: ignored('shipping is no part of a subscription'),
  shippable: 'read',
  statement_descriptor: WORDS,
  tax_code: 'read',
  tax_details: inside({ performance_location: 'read', tax_code: 'read' }),
  type: ignored('it separates products of old versions of the API'),
  unit_label: WORDS,
  updated: RECORD,
  url: WORDS,
  // Older versions of the API.
  attributes: WORDS,
  caption: WORDS,
  deactivate_on: SHOP,
  features: WORDS,
};
