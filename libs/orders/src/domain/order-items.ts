import { Fault, isWholeSteps, type FieldError } from '@commerce/kernel';

/** The fields of a product that orders use. Prices in major units, discount and vat as fractions. */
export interface OrderableProduct {
  readonly name: string;
  readonly currency: string;
  readonly price: number;
  readonly discount: number;
  readonly vat: number;
  readonly main_product: boolean;
  /** Of a main product, ids in hexadecimal: at most 200, while a sub-product may have 1,000 parents. */
  readonly sub_products: readonly string[];
  readonly active: boolean;
  readonly deleted: boolean;
  /** The step of its quantities; null where it has none. */
  readonly quantity_step: number | null;
}

/** One requested product, with its sub-products; ids in hexadecimal. */
export interface RequestedItem {
  readonly product: string;
  readonly quantity: number;
  readonly sub_products: readonly string[];
}

export type OrderableById = ReadonlyMap<string, OrderableProduct>;

/**
 * Checks that these items can be sold together, and returns their common currency.
 * @param step the step of products without one of their own; null: such products are sold in any quantity
 * @throws Fault with one entry in `errors` for each invalid field; its code is the first one's
 */
export function checkItems(
  items: readonly RequestedItem[],
  products: OrderableById,
  step: number | null,
): string {
  const errors: FieldError[] = [];
  const currency = products.get(items[0]?.product ?? '')?.currency ?? null;
  const owned = ownedBy(items, products);
  items.forEach((item, index) => {
    const at = `items.${String(index)}`;
    const check = { owned, products, currency, errors };
    checkQuantity(item, `${at}.quantity`, check, step);
    checkProduct(item.product, `${at}.product`, check, false);
    item.sub_products.forEach((sub, position) => {
      checkProduct(sub, `${at}.sub_products.${String(position)}`, check, true);
    });
  });
  const [first] = errors;
  if (first !== undefined) throw new Fault(first.code, first.message, { errors });
  if (currency === null) throw new Error('an order without items was checked');
  return currency;
}

interface Check {
  /** The sub-products that have a parent in the order. */
  readonly owned: ReadonlySet<string>;
  readonly products: OrderableById;
  readonly currency: string | null;
  readonly errors: FieldError[];
}

/** Checks the quantity of a line, which its sub-products share. */
function checkQuantity(
  { product, quantity, sub_products }: RequestedItem,
  path: string,
  { products, errors }: Check,
  otherwise: number | null,
): void {
  if (quantity <= 0) {
    errors.push(wrong(path, 'must be more than 0'));
    return;
  }
  for (const id of [product, ...sub_products]) {
    const found = products.get(id);
    const step = found?.quantity_step ?? otherwise;
    if (found === undefined || step === null || isWholeSteps(quantity, step)) continue;
    const reason = `must be a multiple of ${String(step)}, in which ${found.name} is sold`;
    errors.push(wrong(path, reason, 'quantity.not_in_steps'));
    return;
  }
}

function checkProduct(id: string, path: string, check: Check, isSub: boolean): void {
  const { products, currency, errors } = check;
  const product = products.get(id);
  if (product === undefined) {
    errors.push(wrong(path, 'is not the id of a product', 'product.unknown'));
  } else if (!product.active || product.deleted) {
    errors.push(wrong(path, 'is a product that is not active', 'product.inactive'));
  } else if (isSub && product.main_product) {
    errors.push(wrong(path, 'is a main product, not a sub-product', 'product.not_a_sub_product'));
  } else if (!product.main_product && !check.owned.has(id)) {
    errors.push(
      wrong(path, 'is a sub-product and cannot be bought without its parent', 'product.parent_required'),
    );
  } else if (currency !== null && product.currency !== currency) {
    const reason = `is priced in ${product.currency}, other items are priced in ${currency}`;
    errors.push(wrong(path, reason, 'product.currency_differs'));
  }
}

/** The sub-products of all main products that an order has as items. */
function ownedBy(items: readonly RequestedItem[], products: OrderableById): ReadonlySet<string> {
  const mains = items.map(({ product }) => products.get(product)).filter((one) => one?.main_product === true);
  return new Set(mains.flatMap((main) => main?.sub_products ?? []));
}

function wrong(path: string, reason: string, code = 'value.invalid'): FieldError {
  return { path, code, message: `${path} ${reason}` };
}
