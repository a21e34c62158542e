import { isMinor, toMajor, toMinor, type FieldError } from '@commerce/kernel';
import { type Caller } from '@commerce/data';
import { sameId, type Id } from '@commerce/records';
import type { UserRecord } from '@commerce/identity';

import { embeddedImage, type ImagesById } from '../images/image-object.js';
import type { ProductRecord } from '../products/product.record.js';
import { OPEN_STATUSES, type ResourceRecord } from './resource.record.js';
import type { UpdateResourceBody } from './resources.dto.js';

/** The records that bodies reference, by the text of their ids; products include their sub-products. */
export interface ReferencedRecords {
  readonly images: ImagesById;
  readonly products: ReadonlyMap<string, ProductRecord>;
  readonly users: ReadonlyMap<string, UserRecord>;
}

/** The state of a resource before a body changes it. */
type Before = Pick<ResourceRecord, 'method' | 'status' | 'product'>;

/** The changes that a body asks for, and all its errors. */
export interface ResourceChanges {
  readonly changes: Partial<ResourceRecord>;
  readonly errors: readonly FieldError[];
}

export function changesOf(
  caller: Pick<Caller, 'role' | 'user'>,
  before: Before,
  body: UpdateResourceBody,
  known: ReferencedRecords,
): ResourceChanges {
  const { image, sub_products, ...given } = body;
  const errors = [...statusErrors(caller, before, body), ...userErrors(caller, body, known)];
  const changes: Partial<ResourceRecord> = { ...given };
  if (image !== undefined) changes.image = embeddedImage(image, known.images, 'image', errors);
  const product = productOf(before, body, known, errors);
  if (before.method === 'asset') {
    if (sub_products) errors.push(bad('sub_products', 'is only for retail resources'));
  } else if (product === null) {
    errors.push(bad('product', 'is required for a retail resource'));
  } else if (product !== undefined) {
    Object.assign(changes, retailTerms(product, sub_products ?? null, known, errors));
  }
  return { changes, errors };
}

function bad(path: string, reason: string, code = 'value.invalid'): FieldError {
  return { path, code, message: `${path} ${reason}` };
}

/** Users change a resource between the open statuses only; sending back the current one is not a change. */
function statusErrors(caller: Pick<Caller, 'role'>, before: Before, body: UpdateResourceBody): FieldError[] {
  const { status } = body;
  if (caller.role === 'admin' || status === undefined || status === before.status) return [];
  const isOpen = (one: string): boolean => OPEN_STATUSES.some((open) => open === one);
  if (isOpen(before.status) && isOpen(status)) return [];
  if (!isOpen(before.status))
    return [bad('status', `is ${before.status}, which only an admin may change`, 'resource.status_reserved')];
  return [bad('status', `must be one of ${OPEN_STATUSES.join(', ')}`, 'resource.status_reserved')];
}

/** Users create resources for themselves only; admins for any user of the company. */
function userErrors(
  caller: Pick<Caller, 'role' | 'user'>,
  { user }: UpdateResourceBody,
  { users }: ReferencedRecords,
): FieldError[] {
  if (user === undefined) return [];
  if (caller.role !== 'admin') {
    return sameId(user, caller.user) ? [] : [bad('user', 'must be yourself', 'user.not_yourself')];
  }
  const found = user === null ? null : users.get(user.toHexString());
  return found === undefined || found?.deleted === true
    ? [bad('user', 'is not the id of a user', 'user.unknown')]
    : [];
}

/**
 * The product from which the prices follow: null when there is none; undefined when it is unknown, which is an error,
 * or when the body changes neither it nor its sub-products, so that the prices stay.
 */
function productOf(
  before: Before,
  { product, sub_products }: UpdateResourceBody,
  { products }: ReferencedRecords,
  errors: FieldError[],
): ProductRecord | null | undefined {
  if (product === undefined && sub_products === undefined) return undefined;
  const id = product === undefined ? before.product : product;
  if (id === null) return null;
  const found = products.get(id.toHexString());
  if (found && !found.deleted) return found;
  errors.push(bad('product', 'is not the id of a product', 'product.unknown'));
  return undefined;
}

type RetailTerms = Pick<ResourceRecord, '_sub_products' | 'base_price' | 'retail_price' | 'currency' | 'vat'>;

/** The fields that a retail item inherits from its product and the sub-products sold with it. */
function retailTerms(
  product: ProductRecord,
  asked: readonly Id[] | null,
  { products }: ReferencedRecords,
  errors: FieldError[],
): RetailTerms | null {
  const before = errors.length;
  if (!product.main_product) {
    errors.push(
      bad(
        'product',
        'is a sub-product, which is only sold together with its parent',
        'product.parent_required',
      ),
    );
  }
  const known = product._sub_products.filter((id) => products.has(id.toHexString()));
  const ids = known.filter((id) => !asked || asked.some((one) => sameId(one, id)));
  asked?.forEach((id, index) => {
    if (known.some((one) => sameId(one, id))) return;
    const reason = 'is not a sub-product of the product';
    errors.push(bad(`sub_products.${String(index)}`, reason, 'product.not_a_sub_product'));
  });
  const subs = ids.map((id) => products.get(id.toHexString())).filter((sub) => sub !== undefined);
  const { currency, vat } = product;
  if (subs.some((sub) => sub.currency !== currency)) {
    const reason = `has sub-products in another currency than ${currency}`;
    errors.push(bad('product', reason, 'product.currency_differs'));
  }
  if (errors.length > before) return null;
  const sold = [product, ...subs];
  const base = sum(sold.map((one) => toMinor(one.price, currency)));
  if (!isMinor(base, currency)) {
    errors.push(bad('product', 'has prices whose sum is too large', 'amount.invalid'));
    return null;
  }
  return {
    _sub_products: ids,
    base_price: toMajor(base, currency),
    retail_price: toMajor(sum(sold.map((one) => toMinor(one.final_price, currency))), currency),
    currency,
    vat,
  };
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}

/** The texts by which searches find a resource. */
export function resourceTexts(
  resource: Pick<ResourceRecord, 'name' | 'reference_id' | 'description' | 'image'>,
): string[] {
  const { name, reference_id, description, image } = resource;
  return [name, reference_id ?? '', description, image?.url ?? ''];
}
