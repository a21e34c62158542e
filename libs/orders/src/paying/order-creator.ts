import { Injectable } from '@nestjs/common';
import { Users, type UserRecord } from '@commerce/identity';
import { fault } from '@commerce/kernel';
import { UnitsOfWork, type Caller } from '@commerce/data';
import { makeRecord, newId, parseId, type Id } from '@commerce/records';

import type { FrozenLine, FrozenThing } from '../domain/order-pricing.js';
import type { CreateOrderBody } from '../orders/order.dto.js';
import { OrderPricer, type OrderPrice } from '../orders/order-pricer.js';
import { OrderRecord, type OrderItem, type OrderSubProduct } from '../orders/order.record.js';
import { OrderStore } from '../orders/order.store.js';
import type { OrderOutcome } from './order-outcome.js';
import { OrderPayments } from './order-payments.js';
import { offSessionOf } from './session.js';

/** Creates orders. */
@Injectable()
export class OrderCreator {
  constructor(
    private readonly users: Users,
    private readonly pricer: OrderPricer,
    private readonly payments: OrderPayments,
    private readonly units: UnitsOfWork,
    private readonly store: OrderStore,
  ) {}

  /**
   * Creates an order, and pays it immediately where a payment method is given. Errors of a product, the coupon or the
   * payment method are refused before any write.
   */
  async create(caller: Caller, body: CreateOrderBody): Promise<OrderOutcome> {
    const { company } = caller;
    const offSession = offSessionOf(caller, body.off_session);
    requireNoOwnDiscount(caller, body);
    const user = await this.users.forRequest(caller, body.user);
    const price = await this.pricer.price(caller, user, body);
    const method: Id | null = body.payment_method;
    if (method !== null) await this.payments.requireMethod({ company, user: user._id }, method);
    const { order, charged } = await this.units.write(
      company,
      async (work) => {
        const paid = method !== null || price.amount === 0;
        const made = makeRecord(OrderRecord, valuesOf(user, price, body, paid), work.now);
        const inserted = work.insert(this.store, made, 'order.created');
        if (!paid) return { order: inserted, charged: null };
        const one = await this.payments.charge(work, inserted, null, { method, offSession });
        const isPaid = one.payment.status === 'SUCCEEDED';
        const changes = isPaid ? { ...one.changes, status: 'PAID' as const } : one.changes;
        return { order: work.update(this.store, inserted, changes, 'order.updated'), charged: one };
      },
      price.now,
    );
    return charged === null
      ? { kind: 'order', order }
      : this.payments.collect(order, charged.payment, offSession);
  }
}

/** Refuses discounts that a user sets: only the company decides on the price. */
function requireNoOwnDiscount({ role }: Caller, { items }: CreateOrderBody): void {
  const index = items.findIndex(({ discount }) => discount > 0);
  if (role === 'admin' || index < 0) return;
  const path = `items.${String(index)}.discount`;
  const message = `${path} can only be given by an admin`;
  throw fault('role.forbidden', message, { errors: [{ path, code: 'role.forbidden', message }] });
}

function valuesOf(
  user: UserRecord,
  { currency, amount, breakdown, items, coupon }: OrderPrice,
  { note, payment_method }: CreateOrderBody,
  paid: boolean,
): Parameters<typeof makeRecord<OrderRecord>>[1] {
  const payment = paid ? newId() : null;
  return {
    company: user.company,
    user: user._id,
    items: items.map(itemOf),
    currency,
    amount,
    coupon: coupon?.code ?? null,
    breakdown,
    payment_method,
    payment,
    payments: payment === null ? [] : [payment],
    note,
    coupon_id: coupon?._id ?? null,
    test_clock: user.test_clock,
  };
}

function itemOf({ sub_products, ...line }: FrozenLine): OrderItem {
  const { quantity, discount, amount, coupon, total } = line;
  return { ...subOf(line), quantity, discount, sub_products: sub_products.map(subOf), amount, coupon, total };
}

function subOf({ product, name, price, final_price, vat }: FrozenThing): OrderSubProduct {
  // The text was made from an id.
  return { product: parseId(product) as Id, name, price, final_price, vat };
}
