import { Injectable } from '@nestjs/common';
import { fieldFault } from '@commerce/kernel';
import { RecordStore, type UnitOfWork } from '@commerce/data';
import { InjectRecord, type Filter, type Id, type RecordModel } from '@commerce/records';

import type { ClientSession } from 'mongoose';

import { CouponRecord } from './coupon.record.js';

/** Time for which a redemption is reserved, unless its holder says otherwise. */
export const RESERVATION_MS = 30 * 60_000;

/** The end of a reservation that never expires. */
export const UNTIL_RELEASED = new Date(8.64e15);

/** Reservations that a coupon keeps; more are refused until some are counted or released. */
export const MAX_RESERVATIONS = 10_000;

/** The order or the subscription that uses a coupon. */
export type RedemptionHolder = { readonly order: Id } | { readonly subscription: Id };

/** The transaction of a commit; empty for a read outside of one. */
export type Session = { readonly session?: ClientSession };

/** One use of a coupon. */
export interface Redemption {
  readonly coupon: Id;
  readonly holder: RedemptionHolder;
}

/**
 * Coupons and their redemptions. An order or a subscription reserves a redemption before its card is charged. It counts
 * the redemption in the commit of the first discounted payment, or releases it in the commit that abandons it. Each is
 * one conditional update, so that concurrent holders never exceed max_redemptions.
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
   * The coupon with a code that a request names.
   * @throws Fault `coupon.unknown` at `coupon`
   */
  async named(company: Id, code: string): Promise<CouponRecord> {
    const found = await this.byCode(company, code);
    if (found !== null) return found;
    throw fieldFault('coupon', 'There is no coupon with this code', 'coupon.unknown');
  }

  /** What a transaction finds of the limit for one customer. */
  async limitOf(
    coupon: { readonly _id: Id; readonly company: Id },
    session: Session,
  ): Promise<Pick<CouponRecord, 'max_redemptions_per_user'>> {
    const projection = { max_redemptions_per_user: 1 };
    const found = await this.model.collection.findOne(coupon, { projection, ...session });
    return { max_redemptions_per_user: (found?.['max_redemptions_per_user'] as number | undefined) ?? null };
  }

  /**
   * Reserves a redemption for 30 minutes from `realNow`, replacing an earlier reservation of the same holder. Without
   * max_redemptions, nothing is reserved for a subscription: `count` alone suffices. The commit fails with
   * `coupon.used_up` when none is left, or when the coupon has ended since it was read; with `coupon.too_many_reserved`
   * at `MAX_RESERVATIONS`.
   * @param until the expiry of the reservation; a caller that passes `UNTIL_RELEASED` must release or count it
   */
  reserve(
    work: UnitOfWork,
    { coupon, holder }: Redemption,
    realNow: Date,
    until = new Date(realNow.getTime() + RESERVATION_MS),
  ): void {
    const others = reservedByOthers(holder, realNow);
    const all = { $concatArrays: [others, [{ ...holder, until }]] };
    const isKept = 'order' in holder ? { $lt: [{ $size: others }, MAX_RESERVATIONS] } : IS_LIMITED;
    const owned = { _id: coupon, company: work.company };
    work.also(async (session) => {
      const { matchedCount } = await this.model.collection.updateOne(
        {
          ...owned,
          active: true,
          delete: false,
          $or: [{ ending_date: null }, { ending_date: { $gt: work.now } }],
          $expr: { $and: [hasBegun(work.now), leavesRedemptions(others), leavesReservations(others)] },
        },
        [
          {
            $set: {
              reservations: { $cond: [isKept, all, others] },
              'sys.version': { $add: ['$sys.version', 1] },
            },
          },
        ],
        { session },
      );
      if (matchedCount > 0) return;
      const full = { ...owned, [`reservations.${String(MAX_RESERVATIONS - 1)}`]: { $exists: true } };
      const isFull = (await this.model.collection.countDocuments(full, { session, limit: 1 })) > 0;
      throw isFull
        ? fieldFault('coupon', 'Too many redemptions are reserved', 'coupon.too_many_reserved')
        : fieldFault('coupon', 'The coupon can no longer be used', 'coupon.used_up');
    });
  }

  /**
   * Counts a redemption; called once, in the commit of the holder's first discounted payment. Without a valid
   * reservation it takes one of the remaining redemptions; if there are none, the payment stands and the count stays at
   * its maximum.
   */
  count(work: UnitOfWork, { coupon, holder }: Redemption, realNow: Date): void {
    const counted = { $inc: { used_count: 1, 'sys.version': 1 }, $set: { modified: work.now } };
    const owned = { _id: coupon, company: work.company };
    work.also(async (session) => {
      const { matchedCount } = await this.model.collection.updateOne(
        { ...owned, ...reservedBy(holder) },
        { ...counted, $pull: { reservations: holder } } as object,
        { session },
      );
      if (matchedCount > 0) return;
      const room = { ...owned, $expr: leavesRedemptions(reservedByOthers(holder, realNow)) };
      await this.model.collection.updateOne(room, counted, { session });
    });
  }

  /** Counts a redemption that a restored database has lost, also where others have taken the last one since. */
  countAbove(work: UnitOfWork, { coupon }: Redemption): void {
    const counted = { $inc: { used_count: 1, 'sys.version': 1 }, $set: { modified: work.now } };
    work.also(async (session) => {
      await this.model.collection.updateOne({ _id: coupon, company: work.company }, counted, { session });
    });
  }

  /** Releases the reservation of a holder that will not pay, if it has one. */
  release(work: UnitOfWork, { coupon, holder }: Redemption): void {
    work.also(async (session) => {
      await this.model.collection.updateOne(
        { _id: coupon, company: work.company, ...reservedBy(holder) },
        { $pull: { reservations: holder }, $inc: { 'sys.version': 1 } } as object,
        { session },
      );
    });
  }
}

/** A coupon that is valid from its creation has begun, also where the clock of its creator is ahead of this one. */
function hasBegun(now: Date): Filter {
  return { $lte: ['$starting_date', { $max: [now, '$created'] }] };
}

/** The filter of coupons that a holder has reserved. */
function reservedBy(holder: RedemptionHolder): Filter {
  return 'order' in holder
    ? { 'reservations.order': holder.order }
    : { 'reservations.subscription': holder.subscription };
}

/** The reservations of other holders that are valid at this instant. */
function reservedByOthers(holder: RedemptionHolder, realNow: Date): Filter {
  const isOther =
    'order' in holder
      ? { $ne: ['$$reservation.order', holder.order] }
      : { $ne: ['$$reservation.subscription', holder.subscription] };
  return {
    $filter: {
      input: '$reservations',
      as: 'reservation',
      cond: { $and: [{ $gt: ['$$reservation.until', realNow] }, isOther] },
    },
  };
}

const IS_LIMITED = { $ne: ['$max_redemptions', null] };

function leavesRedemptions(reservations: Filter): Filter {
  const promised = { $add: ['$used_count', { $size: reservations }] };
  return { $or: [{ $eq: ['$max_redemptions', null] }, { $lt: [promised, '$max_redemptions'] }] };
}

/** Whether there is room for one more reservation; without max_redemptions the coupon needs none. */
function leavesReservations(reservations: Filter): Filter {
  return {
    $or: [{ $eq: ['$max_redemptions', null] }, { $lt: [{ $size: reservations }, MAX_RESERVATIONS] }],
  };
}
