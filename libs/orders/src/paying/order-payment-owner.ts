import { Injectable, type OnModuleInit } from '@nestjs/common';
import {
  PaymentOwners,
  PaymentWriter,
  refundableMinor,
  type AfterCommit,
  type PaymentOwner,
  type PaymentRecord,
} from '@commerce/payments';
import type { UnitOfWork } from '@commerce/platform';

import { settleOrder, type PaymentStanding } from '../domain/order-settlement.js';
import type { OrderRecord } from '../orders/order.record.js';
import { OrderStore } from '../orders/order.store.js';
import { CouponReserver } from './coupon-reserver.js';

/** Lets orders follow their payments, in the commit that settles them. */
@Injectable()
export class OrderPaymentOwner implements PaymentOwner, OnModuleInit {
  constructor(
    private readonly owners: PaymentOwners,
    private readonly store: OrderStore,
    private readonly payments: PaymentWriter,
    private readonly coupons: CouponReserver,
  ) {}

  onModuleInit(): void {
    this.owners.register('order', this);
  }

  async settled(
    work: UnitOfWork,
    before: PaymentRecord,
    payment: PaymentRecord,
  ): Promise<AfterCommit | null> {
    const order = payment.order === null ? null : await this.store.in(payment.company).find(payment.order);
    if (order === null) return null;
    const isCurrent = order.payment !== null && order.payment.equals(payment._id);
    const { edge, giveBack } = settleOrder({
      status: order.status,
      isCurrent,
      before: standingOf(before),
      after: standingOf(payment),
    });
    if (giveBack) {
      const reason = order.status === 'CANCELLED' ? 'order.cancelled' : 'order.paid_already';
      const refunded = await this.payments.refund(
        work,
        payment,
        'unwanted',
        refundableMinor(payment),
        reason,
      );
      return async () => void (await this.payments.afterCommit(refunded));
    }
    const changes: Partial<OrderRecord> =
      edge?.by === 'payment_succeeded'
        ? { payment: payment._id, ...this.coupons.count(work, order) }
        : isCurrent
          ? this.coupons.follow(work, order, payment)
          : {};
    if (edge === null && Object.keys(changes).length === 0) return null;
    const after = edge === null ? changes : { ...changes, status: edge.to };
    work.update(this.store, order, after, edge?.event);
    return null;
  }
}

function standingOf({ status }: PaymentRecord): PaymentStanding {
  switch (status) {
    case 'CREATED':
    case 'PROCESSING':
    case 'UNKNOWN':
      return 'under_way';
    case 'REQUIRES_AUTH':
      return 'requires_auth';
    case 'FAILED':
      return 'failed';
    case 'SUCCEEDED':
    case 'PARTIALLY_REFUNDED':
    case 'DISPUTED':
      return 'collected';
    case 'REFUNDED':
      return 'refunded';
  }
}
