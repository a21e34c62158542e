import {
  Fault,
  currencyProblem,
  fieldFault,
  isFault,
  finalPriceMinor,
  toMajor,
  toMinor,
  type FieldError,
} from '@commerce/kernel';
import { sameId, type Id } from '@commerce/records';

import { MAX_PARENTS, MAX_SUB_PRODUCTS, type ProductRecord } from './product.record.js';

/** The fields of a product that must be consistent with each other. */
type ProductTerms = Pick<
  ProductRecord,
  'price' | 'discount' | 'currency' | 'default_position' | 'main_product' | 'parents' | '_sub_products'
>;

/**
 * Checks rules that involve more than one field, and computes the price after the discount, in major units.
 * @throws Fault `value.invalid` with one entry in `errors` for each bad field; `amount.rounds_to_zero` where rounding
 * would make a priced product free
 */
export function finalPrice(product: ProductTerms): number {
  const errors = [...moneyErrors(product), ...positionErrors(product), ...kindErrors(product)];
  refuse(errors);
  const minor = finalPriceMinor(product.price, product.discount, product.currency);
  if (minor === 0 && product.price > 0 && product.discount < 1) {
    const message = 'discount leaves less than the smallest unit of the currency; 1 makes the product free';
    throw fieldFault('discount', message, 'amount.rounds_to_zero');
  }
  return toMajor(minor, product.currency);
}

function moneyErrors({ price, currency }: ProductTerms): FieldError[] {
  const problem = currencyProblem(currency);
  if (problem !== null) {
    return [{ path: 'currency', code: problem.code, message: `currency: ${problem.message}` }];
  }
  try {
    toMinor(price, currency);
    return [];
  } catch (error) {
    if (!isFault(error)) throw error;
    return [{ path: 'price', code: error.code, message: `price: ${error.message}` }];
  }
}

function positionErrors({ default_position: position }: ProductTerms): FieldError[] {
  if (position === null) return [];
  const [longitude, latitude] = position;
  const inside = longitude !== undefined && latitude !== undefined;
  if (inside && Math.abs(longitude) <= 180 && Math.abs(latitude) <= 90) return [];
  const message =
    'default_position must be [longitude, latitude], from -180 to 180 and from -90 to 90 degrees';
  return [{ path: 'default_position', code: 'value.invalid', message }];
}

/** Main products have no parents and sub-products no sub-products, which rules out cycles, too. */
function kindErrors({ main_product, parents, _sub_products }: ProductTerms): FieldError[] {
  if (main_product && parents.length > 0) {
    const message = 'main_product cannot be true while the product is a sub-product of others';
    return [{ path: 'main_product', code: 'product.has_parents', message }];
  }
  if (!main_product && _sub_products.length > 0) {
    const message = 'a sub-product cannot have sub-products of its own';
    return [{ path: 'main_product', code: 'product.has_sub_products', message }];
  }
  return [];
}

/**
 * Checks that products can become sub-products of another one. `found` holds the existing ones by id, `path` is the
 * field that names them.
 * @throws Fault with one entry in `errors` for each that cannot
 */
export function checkSubProducts(
  parent: Pick<ProductRecord, '_id' | 'main_product'>,
  ids: readonly Id[],
  found: ReadonlyMap<string, ProductRecord>,
  path: string,
): void {
  const errors: FieldError[] = [];
  if (!parent.main_product && ids.length > 0) {
    const message = 'a sub-product cannot have sub-products of its own';
    errors.push({ path, code: 'product.has_no_sub_products', message });
  }
  if (ids.length > MAX_SUB_PRODUCTS) {
    const message = `a product has at most ${String(MAX_SUB_PRODUCTS)} sub-products`;
    errors.push({ path, code: 'value.too_large', message });
  }
  ids.forEach((id, index) => {
    const at = `${path}.${String(index)}`;
    const sub = found.get(id.toHexString());
    if (sameId(id, parent._id)) {
      const message = `${at} is the product itself`;
      errors.push({ path: at, code: 'product.not_a_sub_product', message });
    } else if (!sub || sub.deleted) {
      errors.push({ path: at, code: 'product.unknown', message: `${at} is not the id of a product` });
    } else if (sub.main_product) {
      const message = `${at} is a main product and cannot be a sub-product`;
      errors.push({ path: at, code: 'product.not_a_sub_product', message });
    } else if (sub.parents.length >= MAX_PARENTS && !sub.parents.some((one) => sameId(one, parent._id))) {
      const message = `${at} belongs to ${String(MAX_PARENTS)} products already, and to no more`;
      errors.push({ path: at, code: 'product.too_many_parents', message });
    }
  });
  refuse(errors, errors[0]?.code);
}

function refuse(errors: readonly FieldError[], code = 'value.invalid'): void {
  if (errors[0]) throw new Fault(code, errors[0].message, { errors });
}

/** The texts by which searches find a product. */
export function productTexts({ name, description }: Pick<ProductRecord, 'name' | 'description'>): string[] {
  return [name, description];
}
