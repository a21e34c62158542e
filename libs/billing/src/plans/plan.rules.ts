import {
  Fault,
  currencyProblem,
  fault,
  isFault,
  toMinor,
  type FieldError,
  type PriceLine,
  type PricedThing,
} from '@commerce/kernel';
import type { Id } from '@commerce/records';

/** The fields of a product that plans use. Prices in major units, discount and vat as fractions. */
export interface PlanProduct {
  readonly _id: Id;
  readonly currency: string;
  readonly price: number;
  readonly discount: number;
  readonly vat: number;
  readonly main_product: boolean;
  readonly _sub_products: readonly Id[];
  readonly deleted: boolean;
}

/** One product of a plan, and its quantity. */
export interface ItemInput {
  readonly product: Id;
  readonly quantity: number;
  readonly discount: number;
  readonly sub_products: readonly Id[];
}

/** Products by the hexadecimal text of their id. */
export type ProductsById = ReadonlyMap<string, PlanProduct>;

type PricedById = ReadonlyMap<string, Pick<PlanProduct, 'currency' | 'price' | 'discount' | 'vat'>>;

interface PlanInput {
  readonly currency: string | null;
  readonly total_amount: number | null;
  readonly setup_fee: number;
  readonly items: readonly ItemInput[];
}

/** Every product that the items name, sub-products included. */
export function productsOf(items: readonly Pick<ItemInput, 'product' | 'sub_products'>[]): Id[] {
  return items.flatMap((item) => [item.product, ...item.sub_products]);
}

/**
 * Checks the money and products of a new plan. Returns its currency: the one given, else that of its first product.
 * @throws Fault `value.invalid` with one entry in `errors` for each invalid field
 */
export function checkPlan(input: PlanInput, products: ProductsById): string {
  const errors: FieldError[] = [];
  const [first] = input.items;
  const currency =
    input.currency ?? (first ? products.get(first.product.toHexString())?.currency : undefined) ?? null;
  if (first === undefined && input.total_amount === null) {
    errors.push(wrong('total_amount', 'total_amount is needed where there are no items'));
  }
  const check: Check = { owned: ownedBy(input.items, products), products, currency, errors };
  input.items.forEach((item, index) => {
    checkItem(check, item, `items.${String(index)}`);
  });
  const problem = currency === null ? null : currencyProblem(currency);
  if (currency === null) {
    if (errors.length === 0) errors.push(wrong('currency', 'currency is needed where no item names it'));
  } else if (problem !== null) {
    errors.push(wrong('currency', problem.message, problem.code));
  } else {
    checkAmount('setup_fee', input.setup_fee, currency, errors);
    if (input.total_amount !== null) checkAmount('total_amount', input.total_amount, currency, errors);
  }
  if (errors.length > 0) throw new Fault('value.invalid', errors[0]?.message ?? '', { errors });
  // An unknown currency has just been refused.
  return currency ?? '';
}

/** The items of a plan under check, and the errors found so far. */
interface Check {
  /** The sub-products that have a parent among the items. */
  readonly owned: ReadonlySet<string>;
  readonly products: ProductsById;
  readonly currency: string | null;
  readonly errors: FieldError[];
}

function checkItem(check: Check, item: ItemInput, at: string): void {
  const { owned, products, errors } = check;
  if (item.quantity <= 0) errors.push(wrong(`${at}.quantity`, `${at}.quantity must be more than 0`));
  const product = products.get(item.product.toHexString());
  if (!product || product.deleted) {
    errors.push(unknownProduct(`${at}.product`));
    return;
  }
  checkCurrency(check, product, `${at}.product`);
  if (!product.main_product && !owned.has(product._id.toHexString())) {
    const message = `${at}.product is a sub-product and cannot be sold without its parent`;
    errors.push(wrong(`${at}.product`, message, 'product.parent_required'));
  }
  item.sub_products.forEach((id, position) => {
    const path = `${at}.sub_products.${String(position)}`;
    const sub = products.get(id.toHexString());
    if (!sub || sub.deleted) errors.push(unknownProduct(path));
    else if (!product._sub_products.some((one) => one.equals(id))) {
      errors.push(wrong(path, `${path} is not a sub-product of ${at}.product`, 'product.not_a_sub_product'));
    } else checkCurrency(check, sub, path);
  });
}

/** The sub-products of all products that are items. */
function ownedBy(items: readonly ItemInput[], products: ProductsById): ReadonlySet<string> {
  const parents = items.map(({ product }) => products.get(product.toHexString()));
  return new Set(parents.flatMap((parent) => parent?._sub_products ?? []).map((id) => id.toHexString()));
}

function checkCurrency({ currency, errors }: Check, product: PlanProduct, path: string): void {
  if (currency === null || product.currency === currency) return;
  errors.push(wrong(path, `${path} is priced in ${product.currency}, the plan in ${currency}`));
}

/** Checks an amount by the rules of money, and adds the path to their message. */
function checkAmount(path: string, amount: number, currency: string, errors: FieldError[]): void {
  try {
    toMinor(amount, currency);
  } catch (error) {
    if (!isFault(error)) throw error;
    errors.push(wrong(path, `${path}: ${error.message}`, error.code));
  }
}

function unknownProduct(path: string): FieldError {
  return wrong(path, `${path} is not the id of a product`, 'product.unknown');
}

function wrong(path: string, message: string, code = 'value.invalid'): FieldError {
  return { path, code, message };
}

/**
 * The items as input of the pricing rules, at the current prices of the products.
 * @throws Fault `product.unknown` when one of them is gone, `product.currency_changed` when one is priced in another
 * currency than the plan
 */
export function priceLinesOf(
  items: readonly ItemInput[],
  products: PricedById,
  currency: string,
): PriceLine[] {
  return items.map((item) => ({
    ...priced(item.product, products, currency),
    quantity: item.quantity,
    item_discount: item.discount,
    sub_products: item.sub_products.map((id) => priced(id, products, currency)),
  }));
}

function priced(id: Id, products: PricedById, currency: string): PricedThing {
  const text = id.toHexString();
  const product = products.get(text);
  // Deletion only marks products, so that existing plans can keep using them.
  if (!product) throw fault('product.unknown', `There is no product ${text} any more`);
  if (product.currency !== currency) {
    throw fault('product.currency_changed', `The product ${text} is no longer priced in ${currency}`);
  }
  return { product: text, price: product.price, discount: product.discount, vat: product.vat };
}
