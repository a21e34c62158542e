import { Injectable } from '@nestjs/common';
import { CouponStore, type CouponRecord } from '@commerce/catalog';
import { OrderStore } from '@commerce/orders';
import { UnitsOfWork, type Id } from '@commerce/platform';

import { Service } from '../service.js';
import type { Examination, Finding } from './finding.js';

/** A coupon must have been used as often as paid orders name it, and hold places for orders that hold them, too. */
@Injectable()
export class CouponsExamination implements Examination {
  constructor(private readonly service: Service) {}

  async *examine(company: Id, now: Date): AsyncGenerator<Finding> {
    const store = await this.service.get(CouponStore);
    for await (const coupon of store.in(company).stream({})) {
      const off = await this.difference(coupon);
      // Orders are paid all the time: what is off is looked at twice.
      const again = off === null ? null : await this.difference(await store.in(company).get(coupon._id, ALL));
      if (again !== null) yield this.finding(again, now);
    }
  }

  private finding({ coupon, used, lost }: Difference, now: Date): Finding {
    const detail =
      `used_count is ${String(coupon.used_count)}, ${String(used)} paid orders used it; ` +
      `${String(lost.length)} places are held for no order`;
    const mend = (): Promise<unknown> => this.mend(coupon.company, coupon._id, now);
    return { kind: 'coupon.used_count', id: coupon._id.toHexString(), detail, mend };
  }

  /** Whoever pays meanwhile raises the version of the coupon, and it is counted once more. */
  private async mend(company: Id, id: Id, now: Date): Promise<unknown> {
    const store = await this.service.get(CouponStore);
    const units = await this.service.get(UnitsOfWork);
    const decide = async (coupon: CouponRecord): Promise<{ changes: Partial<CouponRecord> } | null> => {
      const off = await this.difference(coupon);
      if (off === null) return null;
      const reservations = coupon.reservations.filter(
        ({ order }) => !off.lost.some((one) => one.equals(order)),
      );
      return { changes: { used_count: off.used, reservations } };
    };
    return units.change(store.in(company), id, decide, { ...ALL, now: () => now });
  }

  private async difference(coupon: CouponRecord): Promise<Difference | null> {
    const { company, _id, reservations, used_count } = coupon;
    const orders = await this.service.get(OrderStore);
    const holders = await orders.in(company).byIds(reservations.map(({ order }) => order));
    const lost = reservations
      .map(({ order }) => order)
      .filter((id) => (holders.get(id.toHexString())?.coupon_due ?? null) === null);
    const used = await orders.paidWith(company, _id);
    return used === used_count && lost.length === 0 ? null : { coupon, used, lost };
  }
}

const ALL = { deleted: true };

interface Difference {
  readonly coupon: CouponRecord;
  readonly used: number;
  /** Orders that places are held for although they need none. */
  readonly lost: readonly Id[];
}
