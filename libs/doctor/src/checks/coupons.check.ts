import { Injectable } from '@nestjs/common';
import { CouponStore, type CouponRecord } from '@commerce/catalog';
import { OrderStore } from '@commerce/orders';
import { UnitsOfWork } from '@commerce/data';
import { type Id } from '@commerce/records';

import type { Check } from './check.js';
import type { Finding } from './finding.js';
import type { Walk } from './walk.js';

/** A coupon must count as many uses as there are paid orders with it, and hold places only for orders that need them. */
@Injectable()
export class CouponsCheck implements Check {
  constructor(
    private readonly coupons: CouponStore,
    private readonly orders: OrderStore,
    private readonly units: UnitsOfWork,
  ) {}

  async *check(walk: Walk): AsyncGenerator<Finding> {
    const coupons = this.coupons.in(walk.company);
    for await (const coupon of walk.over(coupons.stream({}))) {
      const off = await this.difference(coupon);
      // Orders are paid all the time: a difference counts when it is found twice.
      const again = off === null ? null : await this.difference(await coupons.get(coupon._id, ALL));
      if (again !== null) yield this.finding(again, walk.now);
    }
  }

  private finding({ coupon, used, lost }: Difference, now: Date): Finding {
    const detail =
      `used_count is ${String(coupon.used_count)}, ${String(used)} paid orders used it; ` +
      `${String(lost.length)} places are held for no order`;
    const repair = (): Promise<unknown> => this.repair(coupon.company, coupon._id, now);
    return { kind: 'coupon.used_count', id: coupon._id.toHexString(), detail, repair };
  }

  /** A payment in between raises the version of the coupon, and the uses are counted again. */
  private async repair(company: Id, id: Id, now: Date): Promise<unknown> {
    const decide = async (coupon: CouponRecord): Promise<{ changes: Partial<CouponRecord> } | null> => {
      const off = await this.difference(coupon);
      if (off === null) return null;
      const reservations = coupon.reservations.filter(
        ({ order }) => !off.lost.some((one) => one.equals(order)),
      );
      return { changes: { used_count: off.used, reservations } };
    };
    return this.units.change(this.coupons.in(company), id, decide, { ...ALL, now: () => now });
  }

  private async difference(coupon: CouponRecord): Promise<Difference | null> {
    const { company, _id, reservations, used_count } = coupon;
    const holders = await this.orders.in(company).byIds(reservations.map(({ order }) => order));
    const lost = reservations
      .map(({ order }) => order)
      .filter((id) => (holders.get(id.toHexString())?.coupon_due ?? null) === null);
    const used = await this.orders.paidWith(company, _id);
    return used === used_count && lost.length === 0 ? null : { coupon, used, lost };
  }
}

const ALL = { deleted: true };

interface Difference {
  readonly coupon: CouponRecord;
  readonly used: number;
  /** Orders for which places are held although they need none. */
  readonly lost: readonly Id[];
}
