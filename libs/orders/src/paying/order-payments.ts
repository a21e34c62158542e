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

/** The payment method of an order, and the customer's presence. */
export interface Paying {
  readonly method: Id | null;
  /** False while the customer is present to authenticate. */
  readonly offSession: boolean;
}

/** The payment of an attempt, and the resulting changes of the order. */
export interface Charged {
  readonly payment: PaymentRecord;
  readonly changes: Partial<OrderRecord>;
}

/** An order whose payment is abandoned, and the edge of the lifecycle that it takes; null: none. */
export interface Abandonment {
  readonly order: OrderRecord;
  readonly payment: PaymentRecord | null;
  /** The reason, stored on the last attempt of the payment. */
  readonly code: string;
  readonly edge: OrderEdge | null;
}

/** The order afterwards, and its payment if it was abandoned. */
export interface Abandoned {
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

  /** @throws Fault, before any write: `payment_method.unknown`, `payment_method.incomplete` */
  async requireMethod({ company, user }: Pick<OrderRecord, 'company' | 'user'>, method: Id): Promise<void> {
    await this.methods.referred(company, user, method, 'payment_method');
  }

  /** The current payment of an order; null while it has none. */
  async current({
    company,
    payment,
  }: Pick<OrderRecord, 'company' | 'payment'>): Promise<PaymentRecord | null> {
    return payment === null ? null : this.store.in(company).get(payment);
  }

  /** As `current`, after another try to cancel an abandoned payment. */
  async ended(order: Pick<OrderRecord, 'company' | 'payment'>): Promise<PaymentRecord | null> {
    const payment = await this.current(order);
    if (payment === null || payment.cancel_intent === null || isWaiting(payment)) return payment;
    return this.send(payment);
  }

  /**
   * Adds the attempt to pay an order: another one of its current payment, or the first of a new one where that was
   * abandoned. Its coupon is reserved in the same commit, before any card is charged.
   * @throws Fault `payment.too_many_attempts`; those of the coupon, where it can no longer be used and the order has no
   * reservation
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
   * Abandons the payment of an order, if it still waits for somebody, and updates the coupon reservation. Its intent is
   * cancelled after the commit, by `send`.
   */
  abandon(work: UnitOfWork, { order, payment, code, edge }: Abandonment): Abandoned {
    const waits = payment !== null && isWaiting(payment);
    const given = waits ? this.writer.abandon(work, payment, code, 'The payment was given up') : null;
    const last = given ?? payment;
    const place = last === null ? this.coupons.release(order) : this.coupons.follow(order, last);
    place.also?.(work);
    const status = edge === null ? {} : { status: edge.to, auth_due: null };
    return { order: work.update(this.orders, order, { ...place.changes, ...status }, edge?.event), given };
  }

  /**
   * Sends the open requests of a committed payment to the provider, and settles the answers. Safe to call at any time.
   * @param order as the same commit left it
   */
  async send(payment: PaymentRecord, order: OrderRecord | null = null): Promise<PaymentRecord> {
    return this.writer.afterCommit(payment, order);
  }

  /** Charges the card, and returns the outcome for the payer. */
  async collect(order: OrderRecord, payment: PaymentRecord, offSession: boolean): Promise<OrderOutcome> {
    const settled = await this.send(payment, order);
    if (settled.status === 'REQUIRES_AUTH' && !offSession) {
      return { kind: 'authentication', payment: withClientSecret(settled) };
    }
    // The order followed its payment in another commit.
    const followed = await this.orders.in(order.company).get(order._id);
    if (settled.status !== 'FAILED') return { kind: 'order', order: followed };
    const isTooLittle = settled.attempts.at(-1)?.code === BELOW_MINIMUM;
    return { kind: isTooLittle ? 'below_minimum' : 'declined', order: followed, payment: settled };
  }
}

/** The payments that an order names once this one is added: the newest ones. */
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
    // A new order names its first payment before that exists, so that one event reports both.
    _id: before === null && order.payment !== null ? order.payment : newId(),
    company,
    user,
    subscription: null,
    order: _id,
    kind: 'order',
    period_key: String(before === null ? 1 : Number(before.period_key) + 1),
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
