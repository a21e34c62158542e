import { Injectable } from '@nestjs/common';
import { BusinessClock } from '@commerce/identity';
import { isInFlight, usableIntent } from '@commerce/payments';
import { UnitsOfWork, type UnitOfWork } from '@commerce/data';
import { Sweeps } from '@commerce/jobs';

import { judgePlace } from '../domain/coupon-place.js';
import { edgeFrom } from '../domain/order-lifecycle.js';
import type { OrderRecord } from '../orders/order.record.js';
import { OrderStore, type OrderKey } from '../orders/order.store.js';
import { CouponReserver, type PlaceChange } from './coupon-reserver.js';
import { OrderPayments, type Abandoned } from './order-payments.js';

/** Orders checked in one pass. */
const PER_PASS = 200;

/** Releases coupon reservations that their orders no longer need: after 30 minutes, or once a payment is cancelled. */
@Injectable()
export class CouponPlacesSweep {
  constructor(
    private readonly store: OrderStore,
    private readonly payments: OrderPayments,
    private readonly reserver: CouponReserver,
    private readonly units: UnitsOfWork,
    private readonly time: BusinessClock,
  ) {}

  @Sweeps('coupon-places', 5)
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
    // A failure does not stop the check of other orders.
    if (failures.length > 0) throw new AggregateError(failures, 'places of coupons could not be looked at');
  }

  /** Decides on the coupon reservation of one order, if it is due. Safe to call at any time. */
  async look({ company, _id }: OrderKey): Promise<OrderRecord> {
    const found = await this.store.in(company).get(_id);
    if (!this.isDue(found)) return found;
    const { order, given } = await this.units.write(
      company,
      async (work) => this.decide(work, await this.store.in(company).get(_id)),
      await this.time.now(company, found.test_clock),
    );
    if (given !== null) await this.payments.send(given);
    return order;
  }

  private async decide(work: UnitOfWork, before: OrderRecord): Promise<Abandoned> {
    if (!this.isDue(before)) return { order: before, given: null };
    const payment = await this.payments.current(before);
    const beingCancelled = payment !== null && payment.cancel_intent !== null;
    const verdict = judgePlace({
      inFlight: payment !== null && isInFlight(payment.status),
      waitsForCustomer: payment?.status === 'REQUIRES_AUTH',
      canBePaid: payment !== null && usableIntent(payment) !== null,
      beingCancelled,
      bounded: await this.reserver.isBounded(before),
    });
    switch (verdict) {
      case 'keep': {
        const place = beingCancelled ? this.reserver.keepShortly() : this.reserver.keep();
        return { order: this.placed(work, before, place), given: null };
      }
      case 'release':
        return { order: this.placed(work, before, this.reserver.release(before)), given: null };
      case 'give_up': {
        const edge = edgeFrom(before.status, 'payment_failed');
        return this.payments.abandon(work, {
          order: before,
          payment,
          code: 'coupon.reservation_expired',
          edge,
        });
      }
    }
  }

  private placed(work: UnitOfWork, order: OrderRecord, { changes, also }: PlaceChange): OrderRecord {
    also?.(work);
    return work.update<OrderRecord>(this.store, order, changes);
  }

  private isDue({ coupon_due }: OrderRecord): boolean {
    return coupon_due !== null && coupon_due <= this.reserver.real();
  }
}
