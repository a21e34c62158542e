import { Injectable } from '@nestjs/common';
import { BusinessClock } from '@commerce/identity';
import { fieldFault, isFault } from '@commerce/kernel';
import { isInFlight, isWaiting, type PaymentRecord } from '@commerce/payments';
import { UnitsOfWork, type Caller, type CompanyRecords } from '@commerce/data';
import { type Id } from '@commerce/records';

import { requireAllowed, type OrderState } from '../domain/order-lifecycle.js';
import type { PayOrderBody, UpdateOrderBody } from '../orders/order.dto.js';
import type { OrderRecord } from '../orders/order.record.js';
import { OrderStore } from '../orders/order.store.js';
import { CouponPlacesSweep } from './coupon-places-sweep.js';
import type { OrderOutcome } from './order-outcome.js';
import { OrderPayments, type Paying } from './order-payments.js';
import { offSessionOf } from './session.js';

/** One-off purchases of customers. */
@Injectable()
export class Orders {
  constructor(
    private readonly store: OrderStore,
    private readonly units: UnitsOfWork,
    private readonly payments: OrderPayments,
    private readonly places: CouponPlacesSweep,
    private readonly time: BusinessClock,
  ) {}

  async update(caller: Caller, id: string, body: UpdateOrderBody): Promise<OrderRecord> {
    return this.units.change(this.store.for(caller), id, () => ({ changes: body, event: 'order.updated' }), {
      now: (order) => this.nowFor(order),
    });
  }

  /**
   * Pays an order, for the first time or again.
   * @throws Fault `payment_method.missing`, `.unknown` or `.incomplete` and those of the coupon before any write;
   * `order.state_conflict`
   */
  async pay(caller: Caller, id: string, body: PayOrderBody): Promise<OrderOutcome> {
    const offSession = offSessionOf(caller, body.off_session);
    const own = this.store.for(caller);
    const found = await own.get(id);
    const method = body.payment_method ?? found.payment_method;
    requireAllowed(stateOf(found, await this.payments.ended(found)), 'pay');
    if (method === null) {
      const message = 'payment_method is required: the order names none';
      throw fieldFault('payment_method', message, 'payment_method.missing');
    }
    return this.payOrder(own, found, { method, offSession });
  }

  /** Pays an order with a card that its customer has just given on the page for it. */
  async payBy({ company, _id }: OrderRecord, method: Id): Promise<OrderOutcome> {
    const own = this.store.in(company);
    return this.payOrder(own, await own.get(_id), { method, offSession: false });
  }

  /**
   * The answer to a request that began to pay an order and died; sends the unsent part of the payment now. `written` is
   * the order or its payment, the one that was written first.
   */
  async resume(caller: Caller, written: string): Promise<OrderOutcome> {
    const own = this.store.for(caller);
    const order = await own.get(written);
    const payment = await this.payments.current(order);
    if (payment === null) return { kind: 'order', order };
    return this.payments.collect(order, payment, payment.request?.off_session ?? false);
  }

  /** Cancels an unpaid order. Money that still comes in is refunded. */
  async cancel(caller: Caller, id: string): Promise<OrderRecord> {
    const own = this.store.for(caller);
    const { order, given } = await this.units.write(
      caller.company,
      async (work) => {
        const before = await own.get(id);
        const payment = await this.payments.current(before);
        const edge = requireAllowed(stateOf(before, payment), 'cancel');
        return this.payments.abandon(work, { order: before, payment, code: 'order.cancelled', edge });
      },
      await this.nowFor(await own.get(id)),
    );
    if (given === null) return order;
    await this.payments.send(given);
    return this.places.look(order);
  }

  private async payOrder(
    records: CompanyRecords<OrderRecord>,
    { company, user, _id }: OrderRecord,
    paying: Paying & { readonly method: Id },
  ): Promise<OrderOutcome> {
    await this.payments.requireMethod({ company, user }, paying.method);
    try {
      return await this.payOnce(records, _id, paying);
    } catch (error) {
      // Another request opened the payment first, and the payment is now visible.
      if (!isFault(error, 'payment.exists')) throw error;
      return this.payOnce(records, _id, paying);
    }
  }

  private async payOnce(records: CompanyRecords<OrderRecord>, id: Id, paying: Paying): Promise<OrderOutcome> {
    const { order, payment } = await this.units.write(
      records.company,
      async (work) => {
        const before = await records.get(id);
        const found = await this.payments.current(before);
        const { to, event } = requireAllowed(stateOf(before, found), 'pay');
        const charged = await this.payments.charge(work, before, found, paying);
        const changes = { ...charged.changes, status: to, auth_due: null };
        return { order: work.update(this.store, before, changes, event), payment: charged.payment };
      },
      await this.nowFor(await records.get(id)),
    );
    return this.payments.collect(order, payment, paying.offSession);
  }

  private async nowFor({ company, test_clock }: OrderRecord): Promise<Date> {
    return this.time.now(company, test_clock);
  }
}

function stateOf({ status }: OrderRecord, payment: PaymentRecord | null): OrderState {
  if (payment === null) return { status, inFlight: false, ending: false };
  // An attempt also cancels the remaining intent of a payment that still waits.
  const ending = payment.cancel_intent !== null && !isWaiting(payment);
  return { status, inFlight: isInFlight(payment.status), ending };
}
