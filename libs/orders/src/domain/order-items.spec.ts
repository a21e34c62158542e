import { isFault } from '@commerce/kernel';

import { checkItems, type OrderableProduct, type RequestedItem } from './order-items.js';

const PRODUCT: OrderableProduct = {
  name: 'Tea',
  currency: 'EUR',
  price: 10,
  discount: 0,
  vat: 0,
  main_product: true,
  sub_products: [],
  active: true,
  deleted: false,
  quantity_step: null,
};

const PRODUCTS = new Map<string, OrderableProduct>([
  ['tea', { ...PRODUCT, sub_products: ['cup'] }],
  ['coffee', PRODUCT],
  ['cup', { ...PRODUCT, main_product: false }],
  ['dollar', { ...PRODUCT, currency: 'USD' }],
  ['off', { ...PRODUCT, active: false }],
  ['gone', { ...PRODUCT, deleted: true }],
  ['cheese', { ...PRODUCT, quantity_step: 0.1, sub_products: ['paper'] }],
  ['paper', { ...PRODUCT, main_product: false }],
  ['eggs', { ...PRODUCT, quantity_step: 6 }],
]);

const item = (product: string, ...sub_products: string[]): RequestedItem => ({
  product,
  quantity: 1,
  sub_products,
});

function errors(items: readonly RequestedItem[], step: number | null = 1): string[] {
  try {
    expect(checkItems(items, PRODUCTS, step)).toBe('EUR');
    return [];
  } catch (error) {
    if (!isFault(error)) throw error;
    return (error.details.errors ?? []).map(({ path, code }) => `${path} ${code}`);
  }
}

describe('the items of an order', () => {
  it.each<[string, RequestedItem[], string[]]>([
    ['a product', [item('tea')], []],
    ['a sub-product in the line of its parent', [item('tea', 'cup')], []],
    ['a sub-product beside its parent', [item('tea'), item('cup')], []],
    [
      'a sub-product in the line of another product, its parent elsewhere',
      [item('coffee', 'cup'), item('tea')],
      [],
    ],
    ['a sub-product alone', [item('coffee'), item('cup')], ['items.1.product product.parent_required']],
    [
      'a sub-product in the line of another product',
      [item('coffee', 'cup')],
      ['items.0.sub_products.0 product.parent_required'],
    ],
    [
      'a main product as a sub-product',
      [item('tea', 'coffee')],
      ['items.0.sub_products.0 product.not_a_sub_product'],
    ],
    ['one that is not active', [item('tea'), item('off')], ['items.1.product product.inactive']],
    ['one that was deleted', [item('tea'), item('gone')], ['items.1.product product.inactive']],
    ['one of another currency', [item('tea'), item('dollar')], ['items.1.product product.currency_differs']],
    ['one that is unknown', [item('tea'), item('cocoa')], ['items.1.product product.unknown']],
    ['none of it', [{ ...item('tea'), quantity: 0 }], ['items.0.quantity value.invalid']],
  ])('%s', (_, items, expected) => {
    expect(errors(items)).toEqual(expected);
  });
});

describe('the quantity of an item', () => {
  const of = (quantity: number, ...products: [string, ...string[]]): RequestedItem => ({
    ...item(...products),
    quantity,
  });
  const REFUSED = ['items.0.quantity quantity.not_in_steps'];

  it.each<[RequestedItem, string[], string[]]>([
    [of(2, 'tea'), [], []],
    [of(0.0001, 'tea'), REFUSED, []],
    [of(1.5, 'tea'), REFUSED, []],
    [of(0.3, 'cheese'), [], []],
    [of(1_000_000, 'cheese'), [], []],
    [of(0.1 + 0.2, 'cheese'), REFUSED, REFUSED],
    [of(0.25, 'cheese'), REFUSED, REFUSED],
    [of(12, 'eggs'), [], []],
    [of(7, 'eggs'), REFUSED, REFUSED],
    [of(0.3, 'cheese', 'paper'), REFUSED, []],
    [of(3, 'cheese', 'paper'), [], []],
  ])('%j: by users %j, by admins %j', (one, byUsers, byAdmins) => {
    expect(errors([one], 1)).toEqual(byUsers);
    expect(errors([one], null)).toEqual(byAdmins);
  });

  it('is reported once in each line', () => {
    expect(errors([of(0.5, 'tea', 'cup'), of(0.5, 'coffee')])).toEqual([
      'items.0.quantity quantity.not_in_steps',
      'items.1.quantity quantity.not_in_steps',
    ]);
  });
});
