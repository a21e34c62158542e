import { Inject, Injectable } from '@nestjs/common';
import type { Instants } from '@commerce/identity';
import { toMinor, type ExplainedAmount, type ProductName } from '@commerce/kernel';
import {
  OwnsPayments,
  isCollected,
  type OwnerDecision,
  type PaymentOwner,
  type PaymentRecord,
  type PaymentSubject,
  type RefundDraft,
  type Supplied,
  type SuppliedOf,
  type SuppliedPayment,
} from '@commerce/payments';
import { CONFIG, type Config } from '@commerce/platform';
import { distinctIds, type Id, type OwnedRecord } from '@commerce/records';

import type { OrderBreakdown } from '../domain/order-breakdown.js';
import { explainLines } from '../domain/order-explanation.js';
import type { OrderEdge } from '../domain/order-lifecycle.js';
import { suppliesOfOrder } from '../domain/order-supplies.js';
import { settleOrder, standingOf } from '../domain/order-settlement.js';
import { OrderRecord } from '../orders/order.record.js';
import { OrderStore } from '../orders/order.store.js';
import { CouponReserver } from './coupon-reserver.js';
import { withNewest } from './order-payments.js';
import { subjectOf } from './order-subject.js';
import { Orders } from './orders.service.js';

/** Lets orders follow their payments, in the commit that settles them. */
@Injectable()
@OwnsPayments()
export class OrderPaymentOwner implements PaymentOwner {
  readonly kind = 'order';

  constructor(
    private readonly store: OrderStore,
    private readonly coupons: CouponReserver,
    private readonly orders: Orders,
    @Inject(CONFIG) private readonly config: Pick<Config, 'orderAuthenticationMs'>,
  ) {}

  async settled(
    before: PaymentRecord,
    payment: PaymentRecord,
    now: Instants,
    known: OwnedRecord | null,
  ): Promise<OwnerDecision | null> {
    const order = known instanceof OrderRecord ? known : await this.orderOf(payment);
    if (order === null) return null;
    const isCurrent = order.payment !== null && order.payment.equals(payment._id);
    const { edge, giveBack } = settleOrder({
      status: order.status,
      isCurrent,
      before: standingOf(before),
      after: standingOf(payment),
    });
    if (giveBack) return { changes: [], refunds: [unwanted(order, payment)], followUp: null };
    const isPaid = edge?.by === 'payment_succeeded';
    const endsIntent = isCurrent && (await this.coupons.endsIntent(order, payment));
    const place = isPaid
      ? this.coupons.count(order)
      : endsIntent
        ? this.coupons.keepShortly()
        : isCurrent
          ? this.coupons.follow(order, payment)
          : { changes: {}, also: null };
    const changes: Partial<OrderRecord> = {
      ...place.changes,
      ...(edge === null ? {} : { status: edge.to, auth_due: this.authDue(edge, now) }),
      ...(isPaid ? { payment: payment._id, payments: withNewest(order.payments, payment._id) } : {}),
    };
    if (Object.keys(changes).length === 0) return null;
    const change = { store: this.store, before: order, changes, event: edge?.event };
    return { changes: [change], refunds: [], followUp: null, endsIntent, also: place.also };
  }

  async cancelled(payment: PaymentRecord): Promise<OwnerDecision | null> {
    const order = await this.orderOf(payment);
    if (order?.payment?.equals(payment._id) !== true) return null;
    const place = this.coupons.follow(order, payment);
    if (place.also === null) return null;
    const changes: Partial<OrderRecord> = place.changes;
    const change = { store: this.store, before: order, changes };
    return { changes: [change], refunds: [], followUp: null, also: place.also };
  }

  async describe(payment: PaymentRecord): Promise<PaymentSubject | null> {
    const order = await this.orderOf(payment);
    if (order === null || order.status === 'CANCELLED') return null;
    // Once the order has another payment, this one can no longer be paid.
    const isOpen = order.payment?.equals(payment._id) === true || isCollected(payment.status);
    return isOpen ? subjectOf(order) : null;
  }

  async explain(payment: PaymentRecord): Promise<ExplainedAmount> {
    const nameOf = namesIn(await this.orderOf(payment));
    const { parts } = payment.breakdown as OrderBreakdown;
    const explained = parts.map((part) => explainLines(part, nameOf));
    return {
      amount_minor: explained.reduce((sum, { amount_minor }) => sum + amount_minor, 0),
      lines: explained.flatMap(({ lines }) => lines),
    };
  }

  async supplied(company: Id, payments: readonly SuppliedPayment[]): Promise<SuppliedOf> {
    const ids = payments.map(({ order }) => order).filter((id) => id !== null);
    const orders = await this.store.in(company).partsByIds(distinctIds(ids), SUPPLYING_FIELDS);
    return (payment) => suppliedBy(payment, orders.get(payment.order?.toHexString() ?? '') ?? null);
  }

  async payBy(payment: PaymentRecord, paymentMethod: Id): Promise<void> {
    const order = await this.orderOf(payment);
    if (order === null) throw new Error('the order of a payment is gone');
    await this.orders.payBy(order, paymentMethod);
  }

  /** Deadline of the customer's authentication; null where none is needed, or there is no limit. */
  private authDue({ to }: OrderEdge, { business }: Instants): Date | null {
    const { orderAuthenticationMs } = this.config;
    if (to !== 'REQUIRES_AUTH' || orderAuthenticationMs === 0) return null;
    return new Date(business.getTime() + orderAuthenticationMs);
  }

  private async orderOf({ company, order }: PaymentRecord): Promise<OrderRecord | null> {
    return order === null ? null : this.store.in(company).find(order);
  }
}

/** The fields of an order that its documents depend on. */
const SUPPLYING_FIELDS = ['human_id', 'items', 'breakdown'] as const;

/** The names that an order keeps of its products. */
function namesIn(order: Pick<OrderRecord, 'items'> | null): ProductName {
  const names = new Map<string, string>();
  for (const item of order?.items ?? []) {
    for (const { product, name } of [item, ...item.sub_products]) names.set(product.toHexString(), name);
  }
  return (product) => names.get(product) ?? product;
}

/** The supplies of a payment; of one that was written back from the provider's books, those of its order. */
function suppliedBy(
  { breakdown, order: id }: SuppliedPayment,
  order: Pick<OrderRecord, (typeof SUPPLYING_FIELDS)[number]> | null,
): Supplied {
  if (order === null || id === null) throw new RangeError('the order of the payment is gone');
  const stored = 'parts' in breakdown ? (breakdown as OrderBreakdown) : order.breakdown;
  const [first] = stored.parts;
  return {
    subject: { kind: 'order', id: id.toHexString(), human_id: order.human_id },
    prices: first?.input.tax_behavior ?? 'inclusive',
    timezone: null,
    supplies: suppliesOfOrder(stored, namesIn(order)),
  };
}

/** The full refund of money for an order that was cancelled, or paid by another payment. */
function unwanted({ status }: OrderRecord, { amount, currency }: PaymentRecord): RefundDraft {
  const reason = status === 'CANCELLED' ? 'order.cancelled' : 'order.paid_already';
  return { key: 'unwanted', amount_minor: toMinor(amount, currency), reason };
}
