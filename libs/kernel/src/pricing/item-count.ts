import { fieldFault } from '../faults/fault.js';

/** The most products in the items of an order or a plan: every payment and document of it shows all of them. */
const MOST_PRODUCTS = 500;

/** @throws Fault `items.too_many` where the items name too many products, sub-products included */
export function requireFewProducts(items: readonly { readonly sub_products: readonly unknown[] }[]): void {
  const count = items.reduce((sum, { sub_products }) => sum + 1 + sub_products.length, 0);
  if (count <= MOST_PRODUCTS) return;
  const named = `${String(count)} of at most ${String(MOST_PRODUCTS)}`;
  throw fieldFault(
    'items',
    `items names too many products, sub-products included: ${named}`,
    'items.too_many',
  );
}
