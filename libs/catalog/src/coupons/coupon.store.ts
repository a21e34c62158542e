import { Injectable } from '@nestjs/common';
import { fieldFault } from '@commerce/kernel';
import { RecordStore, type UnitOfWork } from '@commerce/data';
import { InjectRecord, type Filter, type Id, type RecordModel } from '@commerce/records';

import { CouponRecord } from './coupon.record.js';

/** Time for which a redemption is reserved for an order that is not paid yet. */
export const RESERVATION_MS = 30 * 60_000;

/** The end of a reservation that never expires. */
export const UNTIL_RELEASED = new Date(8.64e15);

/** One use of a coupon, by one order. */
export interface Redemption {
  readonly coupon: Id;
  readonly order: Id;
}

/**
 * Coupons and their redemptions. An order reserves a redemption before its card is charged, and counts or releases it
 * in the commit that marks it as paid or abandons it; each is one conditional update, so that concurrent orders never
 * exceed max_redemptions.
 */
@Injectable()
export class CouponStore extends RecordStore<CouponRecord> {
  constructor(@InjectRecord(CouponRecord) model: RecordModel) {
    super(model, CouponRecord);
  }

  /** The coupon with this code, regardless of case. */
  async byCode(company: Id, code: string): Promise<CouponRecord | null> {
    return this.in(company).one({ company, code_key: code.toLowerCase(), delete: false });
  }

  /**
   * Reserves a redemption for an order for 30 minutes from `realNow`, replacing an earlier reservation of the order.
   * The commit fails with `coupon.used_up` when none is left, or when the coupon has ended since it was read.
   * @param until the expiry of the reservation; a caller that passes `UNTIL_RELEASED` must release or count it
   */
  reserve(
    work: UnitOfWork,
    { coupon, order }: Redemption,
    realNow: Date,
    until = new Date(realNow.getTime() + RESERVATION_MS),
  ): void {
    const others = reservedByOthers(order, realNow);
    const reservation = { order, until };
    work.also(async (session) => {
      const { matchedCount } = await this.model.collection.updateOne(
        {
          _id: coupon,
          company: work.company,
          active: true,
          delete: false,
          starting_date: { $lte: work.now },
          $or: [{ ending_date: null }, { ending_date: { $gt: work.now } }],
          $expr: leavesRedemptions(others),
        },
        [
          {
            $set: {
              reservations: { $concatArrays: [others, [reservation]] },
              'sys.version': { $add: ['$sys.version', 1] },
            },
          },
        ],
        { session },
      );
      if (matchedCount > 0) return;
      throw fieldFault('coupon', 'The coupon can no longer be used', 'coupon.used_up');
    });
  }

  /**
   * Counts the redemption of an order; called once, in the commit that marks the order as paid. Without a valid
   * reservation it takes one of the remaining redemptions; if there are none, the payment stands and the count stays at
   * its maximum.
   */
  count(work: UnitOfWork, { coupon, order }: Redemption, realNow: Date): void {
    const counted = { $inc: { used_count: 1, 'sys.version': 1 }, $set: { modified: work.now } };
    const owned = { _id: coupon, company: work.company };
    work.also(async (session) => {
      const { matchedCount } = await this.model.collection.updateOne(
        { ...owned, 'reservations.order': order },
        { ...counted, $pull: { reservations: { order } } } as object,
        { session },
      );
      if (matchedCount > 0) return;
      const room = { ...owned, $expr: leavesRedemptions(reservedByOthers(order, realNow)) };
      await this.model.collection.updateOne(room, counted, { session });
    });
  }

  /** Releases the reservation of an order that will not be paid, if it has one. */
  release(work: UnitOfWork, { coupon, order }: Redemption): void {
    work.also(async (session) => {
      await this.model.collection.updateOne(
        { _id: coupon, company: work.company, 'reservations.order': order },
        { $pull: { reservations: { order } }, $inc: { 'sys.version': 1 } } as object,
        { session },
      );
    });
  }
}

/** The reservations of other orders that are valid at this instant. */
function reservedByOthers(order: Id, realNow: Date): Filter {
  return {
    $filter: {
      input: '$reservations',
      as: 'reservation',
      cond: { $and: [{ $gt: ['$$reservation.until', realNow] }, { $ne: ['$$reservation.order', order] }] },
    },
  };
}

function leavesRedemptions(reservations: Filter): Filter {
  const promised = { $add: ['$used_count', { $size: reservations }] };
  return { $or: [{ $eq: ['$max_redemptions', null] }, { $lt: [promised, '$max_redemptions'] }] };
}
