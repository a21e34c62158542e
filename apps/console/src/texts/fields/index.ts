import type { FieldTexts } from './field-text';
import { coupons, keys, orders, test_clocks, users, webhooks } from './others';
import { billing, seller, tax } from './parties';
import { rights } from './rights';
import { plans } from './plans';
import { products } from './products';

export type { FieldText, FieldTexts } from './field-text';

/** The words of the forms, by kind of record and field; only pages with a form load them. */
export const FIELD_TEXTS: Readonly<Record<string, FieldTexts>> = {
  coupons,
  keys,
  orders,
  plans,
  products,
  rights,
  seller,
  tax,
  test_clocks,
  users: { ...users, ...billing },
  webhooks,
};
