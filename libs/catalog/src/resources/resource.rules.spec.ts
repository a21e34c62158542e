import { isFault } from '@commerce/kernel';
import { UserRecord } from '@commerce/identity';
import { makeRecord, newId } from '@commerce/records';

import { ProductRecord } from '../products/product.record.js';
import { finalPrice } from '../products/product.rules.js';
import { RESERVED_STATUSES } from './resource.record.js';
import { changesOf, type ReferencedRecords } from './resource.rules.js';
import { errorsAt, readBulk } from './resources.dto.js';

const company = newId();
const ADMIN = { role: 'admin', user: null } as const;

function product(values: Partial<ProductRecord> = {}): ProductRecord {
  const given = { company, name: 'Bicycle', currency: 'EUR', price: 10, ...values };
  const made = makeRecord(ProductRecord, given, new Date(0));
  made.final_price = finalPrice(made);
  return made;
}

function known(
  products: readonly ProductRecord[] = [],
  users: readonly UserRecord[] = [],
): ReferencedRecords {
  return {
    images: new Map(),
    products: new Map(products.map((one) => [one._id.toHexString(), one])),
    users: new Map(users.map((one) => [one._id.toHexString(), one])),
  };
}

const asset = { method: 'asset', status: 'CREATED', product: null } as const;
const retail = { ...asset, method: 'retail' } as const;

const errorsOf = (...judged: Parameters<typeof changesOf>): string[] =>
  changesOf(...judged).errors.map(({ path, code }) => `${path} ${code}`);

describe('the prices of a retail resource', () => {
  const bell = product({ main_product: false, price: 10.01, discount: 0.5 });
  const lamp = product({ main_product: false, price: 20 });
  const bike = product({ price: 500, discount: 0.1, vat: 0.19, _sub_products: [bell._id, lamp._id] });
  const all = known([bike, bell, lamp]);

  it("are the product's and its sub-products', before and after discounts", () => {
    expect(changesOf(ADMIN, retail, { product: bike._id }, all)).toEqual({
      errors: [],
      changes: {
        product: bike._id,
        _sub_products: [bell._id, lamp._id],
        base_price: 530.01,
        retail_price: 475.01,
        currency: 'EUR',
        vat: 0.19,
      },
    });
  });

  it('include the sub-products that are sold with it', () => {
    const sold = (sub_products: ProductRecord[]): unknown => {
      const body = { product: bike._id, sub_products: sub_products.map((one) => one._id) };
      return changesOf(ADMIN, retail, body, all).changes;
    };
    expect(sold([lamp, lamp])).toMatchObject({
      _sub_products: [lamp._id],
      base_price: 520,
      retail_price: 470,
    });
    expect(sold([])).toMatchObject({ _sub_products: [], base_price: 500, retail_price: 450 });
  });

  it('add up exactly, in the steps of the currency', () => {
    const subs = [0.1, 0.2, 0.3].map((price) => product({ main_product: false, price }));
    const main = product({ price: 0, _sub_products: subs.map((one) => one._id) });
    expect(changesOf(ADMIN, retail, { product: main._id }, known([main, ...subs])).changes.base_price).toBe(
      0.6,
    );
    const yen = product({ price: 99, discount: 0.5, currency: 'JPY' });
    expect(changesOf(ADMIN, retail, { product: yen._id }, known([yen])).changes).toMatchObject({
      base_price: 99,
      retail_price: 50,
    });
  });

  it('are unchanged unless the product or its sub-products change', () => {
    const before = { ...retail, product: bike._id };
    expect(changesOf(ADMIN, before, { name: 'x' }, all).changes).toEqual({ name: 'x' });
    expect(changesOf(ADMIN, before, { sub_products: [bell._id] }, all).changes).toMatchObject({
      base_price: 510.01,
    });
  });

  it.each([
    ['no product', {}, 'product value.invalid'],
    ['a sub-product', { product: bell._id }, 'product product.parent_required'],
    ['an unknown product', { product: newId() }, 'product product.unknown'],
    [
      'something else sold with it',
      { product: bike._id, sub_products: [bell._id, bike._id] },
      'sub_products.1 product.not_a_sub_product',
    ],
  ])('cannot be computed from %s', (_, body, error) => {
    expect(errorsOf(ADMIN, retail, { product: null, ...body }, all)).toEqual([error]);
  });

  it('cannot mix currencies, nor exceed the largest amount', () => {
    const yen = product({ main_product: false, currency: 'JPY' });
    const huge = product({ main_product: false, price: 9_000_000_000_000 });
    for (const [sub, code] of [
      [yen, 'product.currency_differs'],
      [huge, 'amount.invalid'],
    ] as const) {
      const main = product({ price: 9_000_000_000_000, _sub_products: [sub._id] });
      expect(errorsOf(ADMIN, retail, { product: main._id }, known([main, sub]))).toEqual([`product ${code}`]);
    }
  });

  it('do not exist for assets', () => {
    expect(errorsOf(ADMIN, asset, { sub_products: [] }, all)).toEqual(['sub_products value.invalid']);
    expect(changesOf(ADMIN, asset, { product: bell._id }, all)).toEqual({
      errors: [],
      changes: { product: bell._id },
    });
  });
});

describe('the records that a body references', () => {
  const ada = makeRecord(UserRecord, { company }, new Date(0));
  const gone = makeRecord(UserRecord, { company, deleted: true }, new Date(0));
  const users = known([product({ deleted: true })], [ada, gone]);
  const deleted = [...users.products.values()][0]!;

  it('must exist', () => {
    const body = { image: newId(), product: deleted._id, user: gone._id };
    expect(errorsOf(ADMIN, asset, body, users)).toEqual([
      'user user.unknown',
      'image image.unknown',
      'product product.unknown',
    ]);
    expect(errorsOf(ADMIN, asset, { user: newId() }, users)).toEqual(['user user.unknown']);
    expect(errorsOf(ADMIN, asset, { user: ada._id, product: null, image: null }, users)).toEqual([]);
  });

  it('can only be themselves for users', () => {
    const user = { role: 'user', user: ada._id } as const;
    expect(errorsOf(user, asset, { user: ada._id }, users)).toEqual([]);
    for (const other of [newId(), null]) {
      expect(errorsOf(user, asset, { user: other }, users)).toEqual(['user user.not_yourself']);
    }
  });
});

describe('the status of a resource', () => {
  const user = { role: 'user', user: newId() } as const;

  it.each(RESERVED_STATUSES)('%s can only be set by admins', (status) => {
    expect(errorsOf(ADMIN, asset, { status }, known())).toEqual([]);
    expect(errorsOf(user, asset, { status }, known())).toEqual(['status resource.status_reserved']);
    // Sending back the whole record changes nothing.
    expect(errorsOf(user, { ...asset, status }, { status }, known())).toEqual([]);
    expect(errorsOf(user, { ...asset, status }, { status: 'IDLE' }, known())).toEqual([
      'status resource.status_reserved',
    ]);
    expect(errorsOf(ADMIN, { ...asset, status }, { status: 'IDLE' }, known())).toEqual([]);
  });
});

describe('a bulk request', () => {
  const read = async (input: unknown): Promise<string[]> => {
    try {
      return (await readBulk(input)).flatMap(({ errors }, index) =>
        errorsAt(errors ?? [], index).map(({ path, code, message }) => `${path} ${code}: ${message}`),
      );
    } catch (error) {
      if (!isFault(error)) throw error;
      return [error.code];
    }
  };

  it('reports the errors of each item', async () => {
    expect(
      await read([{ name: 'a' }, { name: '', deleted: true }, 5, { name: 'b', status: 'GONE' }]),
    ).toEqual([
      '1.deleted field.unknown: 1.deleted is not a field of this request',
      '1.name value.invalid: 1.name must be longer than or equal to 1 characters',
      '2 body.invalid: 2: The body must be a JSON object',
      expect.stringMatching(/^3\.status value\.invalid: 3\.status must be one of/),
    ]);
  });

  it('has at most 500 items', async () => {
    expect(await read(Array.from({ length: 500 }, () => ({ name: 'a' })))).toEqual([]);
    expect(await read(Array.from({ length: 501 }, () => ({ name: 'a' })))).toEqual(['body.invalid']);
    for (const input of [{}, null, 'x', { length: 1 }]) expect(await read(input)).toEqual(['body.invalid']);
  });
});
