import { Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { CouponStore, RedeemsCoupons, type CouponRecord, type CouponUsage } from '@commerce/catalog';
import { UnitsOfWork } from '@commerce/data';
import { type Id } from '@commerce/records';

import type { Check } from './check.js';
import type { Finding } from './finding.js';
import { OLDEST_FIRST, type Walk } from './walk.js';

/**
 * A coupon must count as many uses as there are paid orders and discounted subscriptions with it, and hold places only
 * for those that need them.
 */
@Injectable()
export class CouponsCheck implements Check {
  constructor(
    private readonly coupons: CouponStore,
    private readonly units: UnitsOfWork,
    private readonly discovery: DiscoveryService,
  ) {}

  async *check(walk: Walk): AsyncGenerator<Finding> {
    const coupons = this.coupons.in(walk.company);
    for await (const coupon of walk.over(coupons.stream({}, OLDEST_FIRST))) {
      const off = await this.difference(coupon);
      // Coupons are redeemed all the time: a difference counts when it is found twice.
      const again = off === null ? null : await this.difference(await coupons.get(coupon._id, ALL));
      if (again !== null) yield this.finding(again, walk.now);
    }
  }

  private finding({ coupon, used, lost }: Difference, now: Date): Finding {
    const detail =
      `used_count is ${String(coupon.used_count)}, ${String(used.order)} paid orders used it` +
      ` and ${String(used.subscription)} subscriptions; ${String(lost.size)} places are held for no one`;
    const repair = (): Promise<unknown> => this.repair(coupon.company, coupon._id, now);
    return { kind: 'coupon.used_count', id: coupon._id.toHexString(), detail, repair };
  }

  /** A payment in between raises the version of the coupon, and the uses are counted again. */
  private async repair(company: Id, id: Id, now: Date): Promise<unknown> {
    const decide = async (coupon: CouponRecord): Promise<{ changes: Partial<CouponRecord> } | null> => {
      const off = await this.difference(coupon);
      if (off === null) return null;
      const reservations = coupon.reservations.filter((one) => !off.lost.has(one));
      return { changes: { used_count: off.used.order + off.used.subscription, reservations } };
    };
    return this.units.change(this.coupons.in(company), id, decide, { ...ALL, now: () => now });
  }

  private async difference(coupon: CouponRecord): Promise<Difference | null> {
    const { company, _id, used_count } = coupon;
    const used = { order: 0, subscription: 0 };
    const lost = new Set<Reservation>();
    for (const usage of RedeemsCoupons.in(this.discovery)) {
      used[usage.kind] += await usage.redeemed(company, _id);
      for (const one of await lostPlaces(coupon, usage)) lost.add(one);
    }
    const isEven = used.order + used.subscription === used_count;
    return isEven && lost.size === 0 ? null : { coupon, used, lost };
  }
}

/** The reservations of holders of one kind that need none. */
async function lostPlaces(
  { company, reservations }: CouponRecord,
  usage: CouponUsage,
): Promise<Reservation[]> {
  const held = reservations.flatMap((one) => {
    const holder = one[usage.kind];
    return holder === undefined ? [] : [{ one, holder }];
  });
  const needed = await usage.reserving(
    company,
    held.map(({ holder }) => holder),
  );
  return held.filter(({ holder }) => !needed.has(holder.toHexString())).map(({ one }) => one);
}

const ALL = { deleted: true };

type Reservation = CouponRecord['reservations'][number];

interface Difference {
  readonly coupon: CouponRecord;
  /** Holders of each kind that have redeemed it. */
  readonly used: Readonly<Record<CouponUsage['kind'], number>>;
  /** Places of holders that need none. */
  readonly lost: ReadonlySet<Reservation>;
}
