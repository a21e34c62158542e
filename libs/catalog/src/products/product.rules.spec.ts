import { isFault } from '@commerce/kernel';
import { makeRecord, newId } from '@commerce/records';

import { ProductRecord } from './product.record.js';
import { checkSubProducts, finalPrice } from './product.rules.js';

const company = newId();

function product(values: Partial<ProductRecord> = {}): ProductRecord {
  const given = { company, name: 'Machine', currency: 'EUR', price: 10, ...values };
  return makeRecord(ProductRecord, given, new Date(0));
}

function refused(check: () => unknown): string[] {
  try {
    check();
    return [];
  } catch (error) {
    if (!isFault(error)) throw error;
    return (error.details.errors ?? []).map(({ path, code }) => `${path} ${code}`);
  }
}

describe('the final price', () => {
  it.each([
    [10, 0.25, 'EUR', 7.5],
    [19.99, 0.1, 'EUR', 17.99],
    [0.05, 0.5, 'EUR', 0.03],
    [100, 0.333, 'JPY', 67],
    [1.01, 0, 'BHD', 1.01],
    [10, 1, 'EUR', 0],
  ])('of %d less %d in %s is %d', (price, discount, currency, expected) => {
    expect(finalPrice(product({ price, discount, currency }))).toBe(expected);
  });

  it.each([
    [0.01, 0.6, 'EUR'],
    [1, 0.51, 'JPY'],
    [0.01, 0.51, 'KWD'],
  ])('of %d less %d in %s is refused rather than rounded to nothing', (price, discount, currency) => {
    expect(refused(() => finalPrice(product({ price, discount, currency })))).toEqual([
      'discount amount.rounds_to_zero',
    ]);
  });

  it.each([
    [2.675, 'USD', 'price amount.too_precise'],
    [100.5, 'JPY', 'price amount.too_precise'],
    [1.005, 'BHD', 'price amount.too_precise'],
    [1.0101, 'BHD', 'price amount.too_precise'],
    [1, 'XXQ', 'currency currency.unknown'],
  ])('cannot be computed for %d %s', (price, currency, error) => {
    expect(refused(() => finalPrice(product({ price, currency })))).toEqual([error]);
  });
});

describe('a position', () => {
  it.each([
    [[180, 90], []],
    [[-180, -90], []],
    [[181, 0], ['default_position value.invalid']],
    [[0, 90.1], ['default_position value.invalid']],
  ])('%j', (default_position, errors) => {
    expect(refused(() => finalPrice(product({ default_position })))).toEqual(errors);
  });
});

describe('main products and sub-products', () => {
  const main = product();
  const sub = product({ main_product: false });
  const known = new Map([main, sub].map((one) => [one._id.toHexString(), one]));

  it('can be linked', () => {
    expect(refused(() => checkSubProducts(product(), [sub._id], known, 'add'))).toEqual([]);
  });

  it.each([
    [
      'a main product',
      () => checkSubProducts(product(), [main._id], known, 'add'),
      'product.not_a_sub_product',
    ],
    [
      'the product itself',
      () => checkSubProducts(main, [main._id], known, 'add'),
      'product.not_a_sub_product',
    ],
    ['an unknown one', () => checkSubProducts(main, [newId()], known, 'add'), 'product.unknown'],
  ])('cannot be %s', (_, check, code) => {
    expect(refused(check)).toEqual([`add.0 ${code}`]);
  });

  it('belong to at most 1,000 products', () => {
    const parents = Array.from({ length: 1000 }, () => newId());
    const full = product({ main_product: false, parents });
    const found = new Map([[full._id.toHexString(), full]]);
    expect(refused(() => checkSubProducts(product(), [full._id], found, 'add'))).toEqual([
      'add.0 product.too_many_parents',
    ]);
    const parent = product({ _id: parents[0]! });
    expect(refused(() => checkSubProducts(parent, [full._id], found, 'add'))).toEqual([]);
  });

  it('form two levels only', () => {
    const other = product({ main_product: false });
    expect(refused(() => checkSubProducts(other, [sub._id], known, 'add'))).toEqual([
      'add product.has_no_sub_products',
    ]);
  });

  it('cannot change their kind while they are linked', () => {
    expect(refused(() => finalPrice(product({ parents: [newId()] })))).toEqual([
      'main_product product.has_parents',
    ]);
    expect(refused(() => finalPrice(product({ main_product: false, _sub_products: [newId()] })))).toEqual([
      'main_product product.has_sub_products',
    ]);
  });
});
