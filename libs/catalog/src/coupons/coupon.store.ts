import { Injectable } from '@nestjs/common';
import { fieldFault } from '@commerce/kernel';
import {
  InjectRecord,
  RecordStore,
  type Filter,
  type Id,
  type RecordModel,
  type UnitOfWork,
} from '@commerce/platform';

import { CouponRecord } from './coupon.record.js';

/** How long a place is held for an order that is not paid. */
export const RESERVATION_MS = 30 * 60_000;

/** For a place that never ends by itself. */
export const UNTIL_RELEASED = new Date(8.64e15);

/** One use of a coupon, by one order. */
export interface Redemption {
  readonly coupon: Id;
  readonly order: Id;
}

/**
 * Coupons, and the places among their max_redemptions. An order takes a place before its card is charged, in the
 * commit that makes it; the commit that makes it paid counts the place, the one that gives it up lets it go. Each
 * is one conditional update, so that however many orders come at once, no more get a place than there are.
 */
@Injectable()
export class CouponStore extends RecordStore<CouponRecord> {
  constructor(@InjectRecord(CouponRecord) model: RecordModel) {
    super(model, CouponRecord);
  }

  /** The coupon with this code, in whatever case. */
  async byCode(company: Id, code: string): Promise<CouponRecord | null> {
    return this.in(company).one({ company, code_key: code.toLowerCase(), delete: false });
  }

  /**
   * Holds a place for an order for 30 minutes from `realNow`, anew when the order has one already. The commit
   * fails with `coupon.used_up` when none is left, or when the coupon came to its end since it was read.
   * @param until when the place ends by itself; whoever gives `UNTIL_RELEASED` must release or count it
   */
  reserve(
    work: UnitOfWork,
    { coupon, order }: Redemption,
    realNow: Date,
    until = new Date(realNow.getTime() + RESERVATION_MS),
  ): void {
    const others = othersThan(order, realNow);
    const place = { order, until };
    work.also(async (session) => {
      const { matchedCount } = await this.model.collection.updateOne(
        {
          _id: coupon,
          company: work.company,
          active: true,
          delete: false,
          starting_date: { $lte: work.now },
          $or: [{ ending_date: null }, { ending_date: { $gt: work.now } }],
          $expr: hasRoomBeside(others),
        },
        [
          {
            $set: {
              reservations: { $concatArrays: [others, [place]] },
              'sys.version': { $add: ['$sys.version', 1] },
            },
          },
        ],
        { session },
      );
      if (matchedCount > 0) return;
      throw fieldFault('coupon', 'The coupon cannot be used any more', 'coupon.used_up');
    });
  }

  /**
   * Counts the redemption of an order that was paid; called once for each, in the commit that makes it paid. When
   * its place ran out it gets one of those that are left. When none is, the money that came in matters more than
   * the count, which stays at the most that it can be.
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
      const room = { ...owned, $expr: hasRoomBeside(othersThan(order, realNow)) };
      await this.model.collection.updateOne(room, counted, { session });
    });
  }

  /** Lets the place of an order go that will not be paid; harmless when it has none. */
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

/** The places that other orders hold at this instant. */
function othersThan(order: Id, realNow: Date): Filter {
  return {
    $filter: {
      input: '$reservations',
      as: 'place',
      cond: { $and: [{ $gt: ['$$place.until', realNow] }, { $ne: ['$$place.order', order] }] },
    },
  };
}

function hasRoomBeside(places: Filter): Filter {
  const promised = { $add: ['$used_count', { $size: places }] };
  return { $or: [{ $eq: ['$max_redemptions', null] }, { $lt: [promised, '$max_redemptions'] }] };
}
