import { Fault, isFault, type FieldError } from '@commerce/kernel';
import { mapInTurns } from '@commerce/platform';
import { Ref, Refs, createBody, parseBody, updateBody, type Id } from '@commerce/records';

import { MAX_SUB_PRODUCTS } from '../products/product.record.js';
import { ResourceRecord } from './resource.record.js';

/** The most resources that one request can create. */
export const MAX_BULK = 500;

const GIVEN = ['user', 'name', 'description', 'product', 'tags', 'reference_id', 'status'] as const;

const SUB_PRODUCTS = {
  optional: true,
  max: MAX_SUB_PRODUCTS,
  description: 'the sub-products of the product that are sold with it; all when left out',
};

export class CreateResourceBody extends createBody(ResourceRecord, ['method', ...GIVEN]) {
  @Ref('image', { optional: true })
  image: Id | null;

  @Refs('product', { ...SUB_PRODUCTS, default: null })
  sub_products: Id[] | null;
}

/** Omitted fields are unchanged. The method of a resource never changes. */
export class UpdateResourceBody extends updateBody(ResourceRecord, GIVEN) {
  @Ref('image', { optional: true })
  image?: Id | null;

  @Refs('product', SUB_PRODUCTS)
  sub_products?: Id[] | null;
}

/** One item of a bulk request: its body, or its errors. */
export type BulkItem =
  | { readonly body: CreateResourceBody; readonly errors?: undefined }
  | { readonly body?: undefined; readonly errors: readonly FieldError[] };

/**
 * Parses each item on its own, so that all errors can be reported together.
 * @throws Fault `body.invalid` when the body is not a list or too long
 */
export async function readBulk(input: unknown): Promise<BulkItem[]> {
  if (!Array.isArray(input) || input.length > MAX_BULK) {
    const message = `The body must be a list of at most ${String(MAX_BULK)} resources`;
    throw new Fault('body.invalid', message, { errors: [{ path: '', code: 'body.invalid', message }] });
  }
  return mapInTurns(input, (item: unknown): BulkItem => {
    try {
      return { body: parseBody(CreateResourceBody, item) };
    } catch (error) {
      if (!isFault(error)) throw error;
      return { errors: error.details.errors ?? [] };
    }
  });
}

/** The errors of the item with this index, which is added to their paths. */
export function errorsAt(errors: readonly FieldError[], index: number): FieldError[] {
  const at = String(index);
  return errors.map(({ path, code, message }) => {
    if (path === '') return { path: at, code, message: `${at}: ${message}` };
    return { path: `${at}.${path}`, code, message: message.replace(path, `${at}.${path}`) };
  });
}
