import { Injectable } from '@nestjs/common';
import { toMinor } from '@commerce/kernel';
import {
  BELOW_MINIMUM,
  PaymentMethods,
  PaymentStore,
  PaymentWriter,
  isWaiting,
  requireAttemptLeft,
  withClientSecret,
  type PaymentDraft,
  type PaymentRecord,
} from '@commerce/payments';
import { type UnitOfWork } from '@commerce/data';
import { newId, type Id } from '@commerce/records';

import type { OrderEdge } from '../domain/order-lifecycle.js';
import { SHOWN_PAYMENTS, type OrderRecord } from '../orders/order.record.js';
import { OrderStore } from '../orders/order.store.js';
import { CouponReserver } from './coupon-reserver.js';
import type { OrderOutcome } from './order-outcome.js';

/** How an order is to be paid. */
export interface Paying {
  readonly method: Id | null;
  /** False while the customer is there to authenticate. */
  readonly offSession: boolean;
}

/** What an attempt adds to its unit of work, and what of the order follows from it. */
export interface Charged {
  readonly payment: PaymentRecord;
  readonly changes: Partial<OrderRecord>;
}

/** An order whose payment is to be given up, and the line of the lifecycle that it takes; null: it stays as it is. */
export interface GivingUp {
  readonly order: OrderRecord;
  readonly payment: PaymentRecord | null;
  /** Why, on the last attempt of the payment. */
  readonly code: string;
  readonly edge: OrderEdge | null;
}

/** The order as it is then, and its payment where that was given up. */
export interface GivenUp {
  readonly order: OrderRecord;
  readonly given: PaymentRecord | null;
}

/** The payments of orders. */
@Injectable()
export class OrderPayments {
  constructor(
    private readonly store: PaymentStore,
    private readonly writer: PaymentWriter,
    private readonly methods: PaymentMethods,
    private readonly orders: OrderStore,
    private readonly coupons: CouponReserver,
  ) {}

  /** Faults, before anything is written: `payment_method.unknown`, `payment_method.incomplete`. */
  async requireMethod({ company, user }: Pick<OrderRecord, 'company' | 'user'>, method: Id): Promise<void> {
    await this.methods.referred(company, user, method, 'payment_method');
  }

  /** The payment that an order counts on; null while it has none. */
  async current({
    company,
    payment,
  }: Pick<OrderRecord, 'company' | 'payment'>): Promise<PaymentRecord | null> {
    return payment === null ? null : this.store.in(company).get(payment);
  }

  /** As `current`, after one more try to cancel a payment that was given up. */
  async ended(order: Pick<OrderRecord, 'company' | 'payment'>): Promise<PaymentRecord | null> {
    const payment = await this.current(order);
    if (payment === null || payment.cancel_intent === null || isWaiting(payment)) return payment;
    return this.send(payment);
  }

  /**
   * Adds the attempt to pay an order: one more of the payment that it has, or the first of a new one where that was
   * given up. The place of its coupon is held in the same commit, before any card is charged.
   * Faults: `payment.too_many_attempts`; those of the coupon, where it cannot be used any more and the order holds no
   * place.
   */
  async charge(
    work: UnitOfWork,
    order: OrderRecord,
    before: PaymentRecord | null,
    { method, offSession }: Paying,
  ): Promise<Charged> {
    const again = before !== null && isWaiting(before);
    if (again) requireAttemptLeft(before);
    const place = await this.coupons.hold(order, work.now);
    place.also?.(work);
    const held = { ...order, ...place.changes };
    const tried = again
      ? await this.writer.attempt(work, before, method, offSession)
      : await this.writer.open(work, draftOf(order, before, method, offSession));
    const endsIntent = await this.coupons.endsIntent(held, tried);
    const payment = endsIntent ? this.writer.endIntent(work, tried) : tried;
    const final =
      payment.status === 'SUCCEEDED' ? this.coupons.count(held) : this.coupons.follow(held, payment);
    final.also?.(work);
    const changes = {
      payment: payment._id,
      payments: withNewest(order.payments, payment._id),
      payment_method: method,
    };
    return { payment, changes: { ...changes, ...place.changes, ...final.changes } };
  }

  /**
   * Gives the payment of an order up, where it still waits for somebody, and lets the coupon's place follow. Its intent
   * is cancelled after the commit, by `send`.
   */
  giveUp(work: UnitOfWork, { order, payment, code, edge }: GivingUp): GivenUp {
    const waits = payment !== null && isWaiting(payment);
    const given = waits ? this.writer.abandon(work, payment, code, 'The payment was given up') : null;
    const last = given ?? payment;
    const place = last === null ? this.coupons.release(order) : this.coupons.follow(order, last);
    place.also?.(work);
    const status = edge === null ? {} : { status: edge.to, auth_due: null };
    return { order: work.update(this.orders, order, { ...place.changes, ...status }, edge?.event), given };
  }

  /**
   * Sends what a committed payment owes to the provider, and settles the answers. Safe to call at any time.
   * @param order as the same commit left it
   */
  async send(payment: PaymentRecord, order: OrderRecord | null = null): Promise<PaymentRecord> {
    return this.writer.afterCommit(payment, order);
  }

  /** Has the card charged, and tells what whoever pays is to be told. */
  async collect(order: OrderRecord, payment: PaymentRecord, offSession: boolean): Promise<OrderOutcome> {
    const settled = await this.send(payment, order);
    if (settled.status === 'REQUIRES_AUTH' && !offSession) {
      return { kind: 'authentication', payment: withClientSecret(settled) };
    }
    // It followed its payment in another commit.
    const followed = await this.orders.in(order.company).get(order._id);
    if (settled.status !== 'FAILED') return { kind: 'order', order: followed };
    const isTooLittle = settled.attempts.at(-1)?.code === BELOW_MINIMUM;
    return { kind: isTooLittle ? 'below_minimum' : 'declined', order: followed, payment: settled };
  }
}

/** The payments that an order names once it has this one: the newest ones. */
export function withNewest(payments: Id[], id: Id): Id[] {
  return payments.some((one) => one.equals(id)) ? payments : [...payments, id].slice(-SHOWN_PAYMENTS);
}

function draftOf(
  order: OrderRecord,
  before: PaymentRecord | null,
  payment_method: Id | null,
  off_session: boolean,
): PaymentDraft {
  const { _id, company, user, currency, amount, breakdown, test_clock } = order;
  return {
    // A new order names its first payment before there is one, so that one event tells of both.
    _id: before === null && order.payment !== null ? order.payment : newId(),
    company,
    user,
    subscription: null,
    order: _id,
    kind: 'order',
    slice: String(before === null ? 1 : Number(before.slice) + 1),
    amount_minor: toMinor(amount, currency),
    currency,
    period_start: null,
    period_end: null,
    payment_method,
    breakdown,
    off_session,
    test_clock,
  };
}
