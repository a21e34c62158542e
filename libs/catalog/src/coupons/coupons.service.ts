import { randomBytes } from 'node:crypto';

import { Injectable } from '@nestjs/common';
import { fieldFault, isFault, readableId, type Fault } from '@commerce/kernel';
import { UniqueNames, UnitsOfWork, type Caller } from '@commerce/data';
import { makeRecord, newId, type Id } from '@commerce/records';

import { SearchTextStore } from '../search/search-text.store.js';
import { CouponRecord } from './coupon.record.js';
import { CouponTargetReader } from './coupon-target-reader.js';
import { checkCoupon, couponTexts, impliedChanges } from './coupon.rules.js';
import { CouponStore } from './coupon.store.js';
import type { CreateCouponBody, UpdateCouponBody } from './coupons.dto.js';

/** A random code is rarely in use already; this many in a row never are. */
const MAX_DRAWS = 8;

/** Discounts on orders and subscriptions. */
@Injectable()
export class Coupons {
  constructor(
    private readonly store: CouponStore,
    private readonly targets: CouponTargetReader,
    private readonly names: UniqueNames,
    private readonly texts: SearchTextStore,
    private readonly units: UnitsOfWork,
  ) {}

  /** @param _id of the new coupon, for idempotent creation */
  async create(
    { company }: Pick<Caller, 'company'>,
    body: CreateCouponBody,
    _id: Id = newId(),
  ): Promise<CouponRecord> {
    const { code, ...rest } = body;
    const given = { ...rest, ...(await this.targets.read(company, rest)), _id };
    if (code !== null) return this.insert(company, { ...given, code });
    for (let draw = 1; ; draw += 1) {
      try {
        return await this.insert(company, { ...given, code: readableId(randomBytes) });
      } catch (error) {
        if (draw >= MAX_DRAWS || !isFault(error, 'coupon.code_taken')) throw error;
      }
    }
  }

  async update(caller: Caller, id: string, body: UpdateCouponBody): Promise<CouponRecord> {
    return this.units.change(this.store.for(caller), id, async (before, work) => {
      const targets = await this.targets.read(caller.company, body, before);
      const changes = { ...body, ...impliedChanges(body), ...targets };
      const after = { ...before, ...changes };
      const held = before.reservations.filter(({ until }) => until > work.now).length;
      checkCoupon(after, 'max_redemptions' in body ? before.used_count + held : 0);
      const [key, keyBefore] = [after.code.toLowerCase(), before.code.toLowerCase()];
      if (key !== keyBefore) {
        this.names.release(work, 'coupon', keyBefore);
        this.names.take(work, 'coupon', key, codeTaken());
      }
      this.texts.write(work, 'coupon', before._id, couponTexts(after));
      return { changes: { ...changes, code_key: key } };
    });
  }

  /** Deletes the coupon for all uses, except for the orders that have reserved it. */
  async delete(caller: Caller, id: string): Promise<CouponRecord> {
    return this.units.change(this.store.for(caller), id, (before, work) => {
      this.names.release(work, 'coupon', before.code.toLowerCase());
      return { changes: { active: false, delete: true } };
    });
  }

  private async insert(
    company: Id,
    values: Omit<CreateCouponBody, 'code'> & { code: string; _id: Id },
  ): Promise<CouponRecord> {
    return this.units.write(company, (work) => {
      const given = { ...values, company, starting_date: values.starting_date ?? work.now };
      checkCoupon(given, 0);
      const code_key = given.code.toLowerCase();
      this.names.take(work, 'coupon', code_key, codeTaken());
      const coupon = makeRecord(CouponRecord, { ...given, code_key }, work.now);
      this.texts.add(work, 'coupon', coupon._id, couponTexts(coupon));
      return work.insert(this.store, coupon);
    });
  }
}

function codeTaken(): Fault {
  return fieldFault('code', 'Another coupon has this code', 'coupon.code_taken');
}
