import { Injectable } from '@nestjs/common';
import { BusinessClock } from '@commerce/identity';
import { isInFlight, type PaymentRecord } from '@commerce/payments';
import { Sweeps, UnitsOfWork, type UnitOfWork } from '@commerce/platform';

import { judgePlace } from '../domain/coupon-place.js';
import { edgeFrom } from '../domain/order-lifecycle.js';
import type { OrderRecord } from '../orders/order.record.js';
import { OrderStore, type OrderKey } from '../orders/order.store.js';
import { CouponReserver, type PlaceChange } from './coupon-reserver.js';
import { OrderPayments } from './order-payments.js';

/** Orders looked at in one pass. */
const PER_PASS = 200;

/** Lets the places of coupons go that their orders need no longer: after 30 minutes, or once a payment is cancelled. */
@Injectable()
export class CouponPlacesSweep {
  constructor(
    private readonly store: OrderStore,
    private readonly payments: OrderPayments,
    private readonly reserver: CouponReserver,
    private readonly units: UnitsOfWork,
    private readonly time: BusinessClock,
  ) {}

  @Sweeps('coupon-places')
  async sweep(): Promise<void> {
    const due = await this.store.couponDue(this.reserver.real(), PER_PASS);
    const failures: unknown[] = [];
    for (const key of due) {
      try {
        await this.look(key);
      } catch (error) {
        failures.push(error);
      }
    }
    // One that fails keeps no other from being looked at.
    if (failures.length > 0) throw new AggregateError(failures, 'places of coupons could not be looked at');
  }

  /** Decides about the place of one order, where that is due. Safe to call at any time. */
  async look({ company, _id }: OrderKey): Promise<OrderRecord> {
    let given: PaymentRecord | null = null;
    const order = await this.units.change(
      this.store.in(company),
      _id,
      async (before, work) => {
        if (before.coupon_due === null || before.coupon_due > this.reserver.real()) return null;
        const payment = await this.payments.of(before);
        const verdict = judgePlace({
          underWay: payment !== null && isInFlight(payment.status),
          waitsForCustomer: payment?.status === 'REQUIRES_AUTH',
          beingCancelled: payment !== null && payment.cancel_intent !== null,
          bounded: await this.reserver.isBounded(before),
        });
        switch (verdict) {
          case 'keep':
            return this.placed(work, payment?.cancel_intent ? this.reserver.keepShortly() : this.reserver.keep());
          case 'release':
            return this.placed(work, this.reserver.release(before));
          case 'give_up': {
            given = this.payments.giveUp(work, payment, 'coupon.reservation_expired');
            const edge = edgeFrom(before.status, 'payment_failed');
            const { changes } = this.placed(work, this.afterGivingUp(before, given));
            return edge === null
              ? { changes }
              : { changes: { ...changes, status: edge.to }, event: edge.event };
          }
        }
      },
      { now: (before) => this.time.now(company, before.test_clock) },
    );
    if (given !== null) await this.payments.send(given);
    return order;
  }

  /** The place of an order whose payment has just been given up. */
  afterGivingUp(order: OrderRecord, payment: PaymentRecord | null): PlaceChange {
    return payment === null ? this.reserver.release(order) : this.reserver.follow(order, payment);
  }

  private placed(work: UnitOfWork, { changes, also }: PlaceChange): { changes: PlaceChange['changes'] } {
    also?.(work);
    return { changes };
  }
}
