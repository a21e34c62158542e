import { Injectable } from '@nestjs/common';
import {
  CouponStore,
  CouponUserLimiter,
  RESERVATION_MS,
  UNTIL_RELEASED,
  type Redemption,
} from '@commerce/catalog';
import { usableIntent, type PaymentRecord } from '@commerce/payments';
import { DatabaseClock, type UnitOfWork } from '@commerce/data';

import { usable } from '../orders/order-pricer.js';
import type { OrderRecord } from '../orders/order.record.js';

type Holder = Pick<
  OrderRecord,
  '_id' | 'company' | 'user' | 'coupon_id' | 'coupon_due' | 'currency' | 'items' | 'test_clock'
>;
type Holding = Pick<PaymentRecord, 'status' | 'cancel_intent'>;

/** The changes of the order and the write to the coupon, for one commit. */
export interface PlaceChange {
  readonly changes: Partial<Pick<OrderRecord, 'coupon_due'>>;
  readonly also: ((work: UnitOfWork) => void) | null;
}

const NOTHING: PlaceChange = { changes: {}, also: null };

/** Delay before the next check of a reservation whose payment ends soon. */
const SOON_MS = 5000;

/**
 * The coupon reservations of orders. Each is made, counted or released in the same commit as the payment that it
 * follows, and never expires by itself: only its order knows whether money can still come in.
 */
@Injectable()
export class CouponReserver {
  constructor(
    private readonly coupons: CouponStore,
    private readonly limits: CouponUserLimiter,
    private readonly clock: DatabaseClock,
  ) {}

  /** Real time, which decides on reservations even for orders on a test clock. */
  real(): Date {
    return this.clock.read();
  }

  /**
   * Reserves a redemption for an order before its payment. An order keeps an existing reservation, even when the
   * coupon has ended meanwhile.
   * @throws Faults of `usable`; the commit fails with `coupon.used_up` when no redemption is left, and with
   * `coupon.already_redeemed` when none is left for the customer
   */
  async hold(order: Holder, now: Date): Promise<PlaceChange> {
    const redemption = redemptionOf(order);
    if (redemption === null) return NOTHING;
    if (order.coupon_due !== null) return this.keep();
    const coupon = await this.coupons.in(order.company).get(redemption.coupon, { deleted: true });
    usable(coupon, order, now);
    const { changes } = this.keep();
    const { user, _id: holder } = order;
    const also = (work: UnitOfWork): void => {
      this.coupons.reserve(work, redemption, this.real(), UNTIL_RELEASED);
      this.limits.add(work, { kind: 'order', user, coupon: redemption.coupon, holder });
    };
    return { changes, also };
  }

  /** Counts the redemption, in the commit that makes its order paid. */
  count(order: Holder): PlaceChange {
    const redemption = redemptionOf(order);
    if (redemption === null) return NOTHING;
    const also = (work: UnitOfWork): void => this.coupons.count(work, redemption, this.real());
    return { changes: { coupon_due: null }, also };
  }

  /**
   * Whether the intent of an order's payment must be cancelled before others can have the redemption: it has failed,
   * yet its client secret can still pay it.
   */
  async endsIntent(order: Holder, payment: PaymentRecord): Promise<boolean> {
    if (order.coupon_due === null || payment.status !== 'FAILED' || payment.cancel_intent !== null)
      return false;
    return usableIntent(payment) !== null && this.isBounded(order);
  }

  /** Releases the reservation of an order whose payment has failed, unless money may still come in. */
  follow(order: Holder, payment: Holding): PlaceChange {
    if (order.coupon_due === null || payment.status !== 'FAILED') return NOTHING;
    // Until the provider has cancelled it, the customer may still authenticate it.
    return payment.cancel_intent === null ? this.release(order) : this.keepShortly();
  }

  release(order: Holder): PlaceChange {
    const redemption = redemptionOf(order);
    if (redemption === null || order.coupon_due === null) return NOTHING;
    const also = (work: UnitOfWork): void => this.coupons.release(work, redemption);
    return { changes: { coupon_due: null }, also };
  }

  keep(): PlaceChange {
    return { changes: { coupon_due: this.later(RESERVATION_MS) }, also: null };
  }

  keepShortly(): PlaceChange {
    return { changes: { coupon_due: this.later(SOON_MS) }, also: null };
  }

  /** Whether others may be waiting for a redemption. */
  async isBounded({ company, coupon_id }: Holder): Promise<boolean> {
    const coupon =
      coupon_id === null ? null : await this.coupons.in(company).find(coupon_id, { deleted: true });
    return coupon !== null && coupon.max_redemptions !== null;
  }

  private later(ms: number): Date {
    return new Date(this.real().getTime() + ms);
  }
}

function redemptionOf({ coupon_id, _id }: Holder): Redemption | null {
  return coupon_id === null ? null : { coupon: coupon_id, holder: { order: _id } };
}
