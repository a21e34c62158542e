import { Injectable } from '@nestjs/common';
import {
  CouponStore,
  ProductStore,
  couponAppliesToOrder,
  refusedCoupon,
  type CouponRecord,
  type ProductRecord,
} from '@commerce/catalog';
import { BusinessClock, type UserRecord } from '@commerce/identity';
import {
  decideTax,
  requireFewProducts,
  toMinor,
  type CouponOff,
  type DecidedTax,
  type TaxedProduct,
} from '@commerce/kernel';
import { CardProviders, TaxBuyerReader, belowMinimum } from '@commerce/payments';
import type { Caller } from '@commerce/data';
import { distinctIds, type Id } from '@commerce/records';

import { checkItems, type OrderableProduct } from '../domain/order-items.js';
import { requireNothingRoundedAway } from '../domain/order-rounding.js';
import {
  priceOrder,
  type OrderedLine,
  type OrderedThing,
  type PricedOrder,
} from '../domain/order-pricing.js';
import type { CreateOrderBody, OrderItemBody } from './order.dto.js';

/** The fields of a product that decide on an order, without those that may be large. */
const ORDERED = [
  'name',
  'currency',
  'price',
  'discount',
  'vat',
  'tax_category',
  'tax_supply',
  'main_product',
  '_sub_products',
  'active',
  'deleted',
  'quantity_step',
] as const;

type OrderedProduct = Pick<ProductRecord, (typeof ORDERED)[number]>;
type OrderedById = ReadonlyMap<string, OrderedProduct>;

/** Users buy whole products, unless a product names a step of its own; admins may sell any quantity. */
const STEP_OF_USERS = 1;

/** The priced lines of an order at current prices, and the coupon that reduced them. */
export interface OrderPrice extends PricedOrder {
  readonly currency: string;
  readonly coupon: CouponRecord | null;
  /** The customer's time at which the price was computed. */
  readonly now: Date;
}

/** The part of a request that decides the price of an order. */
type Ordered = Pick<CreateOrderBody, 'items' | 'coupon' | 'payment_method'>;

/** Computes the price of an order. */
@Injectable()
export class OrderPricer {
  constructor(
    private readonly products: ProductStore,
    private readonly coupons: CouponStore,
    private readonly providers: CardProviders,
    private readonly time: BusinessClock,
    private readonly buyers: TaxBuyerReader,
  ) {}

  /**
   * Prices the items that a caller orders for a customer.
   * @throws Fault, each naming its field: `items.too_many`, those of `checkItems`, of `usable` and of `requireNothingRoundedAway`;
   * `amount.below_minimum` where no card can be charged so little
   */
  async price(
    { role }: Pick<Caller, 'role'>,
    user: Pick<UserRecord, 'company' | 'test_clock' | 'billing' | 'billing_unconfirmed'>,
    { items, coupon: code, payment_method }: Ordered,
  ): Promise<OrderPrice> {
    const { company, test_clock } = user;
    requireFewProducts(items);
    const named = items.flatMap(({ product, sub_products }) => [product, ...sub_products]);
    const products = await this.products.in(company).partsByIds(distinctIds(named), ORDERED);
    const currency = checkItems(
      items.map(requested),
      orderable(products),
      role === 'admin' ? null : STEP_OF_USERS,
    );
    const coupon = code === null ? null : await this.coupons.named(company, code);
    const now = await this.time.now(company, test_clock);
    const off = coupon === null ? null : usable(coupon, { currency, items, test_clock }, now);
    const { settings, seller, buyer } = await this.buyers.partiesOf(company, { user, payment_method });
    const { tax_behavior } = settings;
    const taxOf: TaxOf = (product) =>
      seller === null ? null : decideTax(seller, buyer, taxedInOrders(product), now);
    const lines = items.map((item) => lineOf(item, products, taxOf));
    const priced = priceOrder({ currency, tax_behavior, coupon: off, lines });
    requireNothingRoundedAway(lines, priced, off);
    this.requireChargeable(priced.amount, currency);
    return { ...priced, currency, coupon, now };
  }

  private requireChargeable(amount: number, currency: string): void {
    const minimum = this.providers.minimumCharge(currency);
    if (amount > 0 && toMinor(amount, currency) < minimum) throw belowMinimum(minimum, currency, 'items');
  }
}

/** The lines of an order, as far as they decide on a coupon. */
interface CouponedOrder {
  readonly currency: string;
  readonly items: readonly { readonly product: Id }[];
  readonly test_clock: Id | null;
}

/**
 * The discount of a coupon on an order now.
 * @throws Fault whose code states why it cannot be used, and whose message names the test clock that decided it
 */
export function usable(coupon: CouponRecord, order: CouponedOrder, now: Date): CouponOff {
  const { currency, items, test_clock } = order;
  const products = items.map(({ product }) => product);
  const verdict = couponAppliesToOrder(coupon, { currency, products }, { now, test_clock });
  if (verdict.applies) return verdict.off;
  throw refusedCoupon(verdict, { now, test_clock });
}

function requested({ product, quantity, sub_products }: OrderItemBody): Parameters<typeof checkItems>[0][0] {
  return {
    product: product.toHexString(),
    quantity,
    sub_products: sub_products.map((id) => id.toHexString()),
  };
}

function orderable(products: OrderedById): Map<string, OrderableProduct> {
  return new Map(
    [...products].map(([id, product]) => [
      id,
      { ...product, sub_products: product._sub_products.map((sub) => sub.toHexString()) },
    ]),
  );
}

/** The decided tax of a product; null where its rate is set by hand. */
type TaxOf = (product: OrderedProduct) => DecidedTax | null;

/** A product in an order is of goods unless it says otherwise. */
function taxedInOrders({ tax_category, tax_supply }: OrderedProduct): TaxedProduct {
  return { tax_category, tax_supply: tax_supply ?? 'goods' };
}

function lineOf(item: OrderItemBody, products: OrderedById, taxOf: TaxOf): OrderedLine {
  return {
    ...thingOf(item.product, products, taxOf),
    quantity: item.quantity,
    item_discount: item.discount,
    sub_products: item.sub_products.map((id) => thingOf(id, products, taxOf)),
  };
}

function thingOf(id: Id, products: OrderedById, taxOf: TaxOf): OrderedThing {
  const text = id.toHexString();
  const product = products.get(text);
  if (product === undefined) throw new Error('an order names a product that was not read');
  const { name, price, discount, vat } = product;
  return { product: text, name, price, discount, vat, ...taxOf(product) };
}
