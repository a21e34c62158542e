import { isFault, type FieldError } from '@commerce/kernel';
import { newId } from '@commerce/records';

import {
  checkPlan,
  priceLinesOf,
  type ItemInput,
  type PlanProduct,
  type ProductsById,
} from './plan.rules.js';

function product(values: Partial<PlanProduct> = {}): PlanProduct {
  return {
    _id: newId(),
    currency: 'EUR',
    price: 10,
    discount: 0,
    vat: 0.25,
    main_product: true,
    _sub_products: [],
    deleted: false,
    ...values,
  };
}

function byId(...products: PlanProduct[]): ProductsById {
  return new Map(products.map((one) => [one._id.toHexString(), one]));
}

function item(of: PlanProduct, values: Partial<ItemInput> = {}): ItemInput {
  return { product: of._id, quantity: 1, discount: 0, sub_products: [], ...values };
}

function errorsOf(work: () => unknown): readonly FieldError[] {
  try {
    work();
  } catch (error) {
    if (isFault(error, 'value.invalid')) return error.details.errors ?? [];
    throw error;
  }
  return [];
}

const plan = { currency: null, total_amount: null, setup_fee: 0, items: [] as ItemInput[] };

describe('the rules of a new plan', () => {
  it('takes the currency of its items when it names none', () => {
    const coffee = product({ currency: 'JPY' });
    expect(checkPlan({ ...plan, items: [item(coffee)] }, byId(coffee))).toBe('JPY');
  });

  it('needs a total amount where there are no items', () => {
    expect(errorsOf(() => checkPlan({ ...plan, currency: 'EUR' }, byId()))).toMatchObject([
      { path: 'total_amount' },
    ]);
    expect(checkPlan({ ...plan, currency: 'EUR', total_amount: 0 }, byId())).toBe('EUR');
  });

  it('needs a currency that exists', () => {
    const priced = { ...plan, total_amount: 10 };
    expect(errorsOf(() => checkPlan(priced, byId()))).toMatchObject([{ path: 'currency' }]);
    expect(errorsOf(() => checkPlan({ ...priced, currency: 'XXX' }, byId()))).toMatchObject([
      { path: 'currency', code: 'currency.unknown' },
    ]);
  });

  it.each([
    ['EUR', 2.675],
    ['JPY', 100.5],
    ['BHD', 1.005],
    ['BHD', 1.0101],
  ])('refuses amounts finer than the currency: %s %d', (currency, amount) => {
    const input = { ...plan, currency, total_amount: amount, setup_fee: amount };
    expect(errorsOf(() => checkPlan(input, byId())).map(({ path }) => path)).toEqual([
      'setup_fee',
      'total_amount',
    ]);
  });

  it('takes three decimals in steps of ten where the currency has three', () => {
    expect(checkPlan({ ...plan, currency: 'BHD', total_amount: 1.01 }, byId())).toBe('BHD');
  });

  it('names the item whose product is unknown, deleted or priced in another currency', () => {
    const good = product();
    const gone = product({ deleted: true });
    const yen = product({ currency: 'JPY' });
    const items = [item(good), item(product()), item(gone), item(yen)];
    expect(errorsOf(() => checkPlan({ ...plan, items }, byId(good, gone, yen)))).toMatchObject([
      { path: 'items.1.product', code: 'product.unknown' },
      { path: 'items.2.product', code: 'product.unknown' },
      { path: 'items.3.product', code: 'value.invalid' },
    ]);
  });

  it('refuses a quantity of 0', () => {
    const coffee = product();
    const items = [item(coffee, { quantity: 0 })];
    expect(errorsOf(() => checkPlan({ ...plan, items }, byId(coffee)))).toMatchObject([
      { path: 'items.0.quantity' },
    ]);
  });

  it('accepts only sub-products of the product', () => {
    const milk = product({ main_product: false });
    const sugar = product({ main_product: false });
    const coffee = product({ _sub_products: [milk._id] });
    const products = byId(milk, sugar, coffee);
    const items = [item(coffee, { sub_products: [milk._id, sugar._id, newId()] })];
    expect(errorsOf(() => checkPlan({ ...plan, items }, products))).toMatchObject([
      { path: 'items.0.sub_products.1', code: 'product.not_a_sub_product' },
      { path: 'items.0.sub_products.2', code: 'product.unknown' },
    ]);
  });

  it('accepts a sub-product as an item only beside one of its parents', () => {
    const milk = product({ main_product: false });
    const coffee = product({ _sub_products: [milk._id] });
    const products = byId(coffee, milk);
    expect(errorsOf(() => checkPlan({ ...plan, items: [item(milk)] }, products))).toMatchObject([
      { path: 'items.0.product', code: 'product.parent_required' },
    ]);
    expect(checkPlan({ ...plan, items: [item(milk), item(coffee)] }, products)).toBe('EUR');
  });
});

describe('the prices of the items', () => {
  it('include the discounts of both the item and the product', () => {
    const milk = product({ price: 1, vat: 0.1, main_product: false });
    const coffee = product({ price: 4, discount: 0.25, _sub_products: [milk._id] });
    const items = [item(coffee, { quantity: 2, discount: 0.5, sub_products: [milk._id] })];
    expect(priceLinesOf(items, byId(coffee, milk), 'EUR')).toEqual([
      {
        product: coffee._id.toHexString(),
        price: 4,
        discount: 0.25,
        vat: 0.25,
        quantity: 2,
        item_discount: 0.5,
        sub_products: [{ product: milk._id.toHexString(), price: 1, discount: 0, vat: 0.1 }],
      },
    ]);
  });

  it('are refused when a product has left the currency of the plan', () => {
    const coffee = product({ currency: 'JPY' });
    expect(() => priceLinesOf([item(coffee)], byId(coffee), 'EUR')).toThrow(
      expect.objectContaining({ code: 'product.currency_changed' }),
    );
  });
});
