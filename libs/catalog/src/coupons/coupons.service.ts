import { randomBytes } from 'node:crypto';

import { Injectable } from '@nestjs/common';
import { fieldFault, isFault, readableId, type Fault } from '@commerce/kernel';
import {
  SystemClock,
  TakenNames,
  UnitsOfWork,
  retryOnConflict,
  makeRecord,
  readFlag,
  readPage,
  type Caller,
  type Id,
  type Page,
  type PageQuery,
  type RawQuery,
} from '@commerce/platform';

import { searchable } from '../search/search-grams.js';
import { matching, readSearch } from '../search/search-query.js';
import { CouponRecord } from './coupon.record.js';
import { checkCoupon, discountChanges } from './coupon.rules.js';
import { CouponStore } from './coupon.store.js';
import type { CreateCouponBody, UpdateCouponBody } from './coupons.bodies.js';

/** A random code is rarely taken already; this many in a row never are. */
const MAX_DRAWS = 8;

/** Discounts on orders. */
@Injectable()
export class Coupons {
  constructor(
    private readonly store: CouponStore,
    private readonly names: TakenNames,
    private readonly units: UnitsOfWork,
    private readonly clock: SystemClock,
  ) {}

  async create({ company }: Pick<Caller, 'company'>, body: CreateCouponBody): Promise<CouponRecord> {
    const { code, ...given } = body;
    if (code !== null) return this.insert(company, { ...given, code });
    for (let draw = 1; ; draw += 1) {
      try {
        return await this.insert(company, { ...given, code: readableId(randomBytes) });
      } catch (error) {
        if (draw >= MAX_DRAWS || !isFault(error, 'coupon.code_taken')) throw error;
      }
    }
  }

  async get(caller: Caller, id: string): Promise<CouponRecord> {
    return this.store.in(caller.company).get(id, { deleted: caller.role === 'admin' });
  }

  async list({ company }: Caller, raw: RawQuery): Promise<Page<CouponRecord>> {
    return this.store.in(company).page(readCouponQuery(raw));
  }

  async search({ company }: Caller, raw: RawQuery): Promise<Page<CouponRecord>> {
    const query = readCouponQuery(raw, ['query']);
    const records = this.store.in(company);
    const found = await matching(records, company, readSearch(raw), { shortIds: false });
    return records.page({ ...query, filter: { ...found, ...query.filter } });
  }

  async update({ company }: Caller, id: string, body: UpdateCouponBody): Promise<CouponRecord> {
    return retryOnConflict(async () => {
      const now = this.clock.now();
      const before = await this.store.in(company).get(id);
      const changes = { ...body, ...discountChanges(body) };
      const after = { ...before, ...changes };
      const held = before.reservations.filter(({ until }) => until > now).length;
      checkCoupon(after, 'max_redemptions' in body ? before.used_count + held : 0);
      const work = this.units.begin(company, now);
      const [key, keyBefore] = [after.code.toLowerCase(), before.code.toLowerCase()];
      if (key !== keyBefore) {
        this.names.release(work, 'coupon', keyBefore);
        this.names.take(work, 'coupon', key, codeTaken());
      }
      const coupon = work.update(this.store, before, { ...changes, code_key: key, ...searched(after) });
      await work.commit();
      return coupon;
    });
  }

  /** Nobody can use the coupon any more, except for the orders that have reserved it. */
  async delete({ company }: Caller, id: string): Promise<CouponRecord> {
    return retryOnConflict(async () => {
      const before = await this.store.in(company).get(id);
      const work = this.units.begin(company, this.clock.now());
      this.names.release(work, 'coupon', before.code.toLowerCase());
      const after = work.update(this.store, before, { active: false, delete: true });
      await work.commit();
      return after;
    });
  }

  private async insert(
    company: Id,
    values: Omit<CreateCouponBody, 'code'> & { code: string },
  ): Promise<CouponRecord> {
    const now = this.clock.now();
    const given = { ...values, company, starting_date: values.starting_date ?? now };
    checkCoupon(given, 0);
    const code_key = given.code.toLowerCase();
    const coupon = makeRecord(CouponRecord, { ...given, code_key, ...searched(given) }, now);
    const work = this.units.begin(company, now);
    this.names.take(work, 'coupon', code_key, codeTaken());
    work.insert(this.store, coupon);
    await work.commit();
    return coupon;
  }
}

function readCouponQuery(raw: RawQuery, others: readonly string[] = []): PageQuery {
  const page = readPage(raw, {
    sortable: ['name', 'code', 'created', 'modified', 'starting_date', 'ending_date', 'used_count'],
    dates: {
      created: 'created',
      modified: 'modified',
      starting_date: 'starting_date',
      ending_date: 'ending_date',
    },
    others: ['included_deleted', 'active', ...others],
  });
  const active = readFlag(raw, 'active');
  const filter = {
    ...page.filter,
    ...(readFlag(raw, 'included_deleted') === true ? {} : { delete: false }),
    ...(active === null ? {} : { active }),
  };
  return { ...page, filter };
}

function searched({ code, name }: Pick<CouponRecord, 'code' | 'name'>): ReturnType<typeof searchable> {
  return searchable([code, name ?? '']);
}

function codeTaken(): Fault {
  return fieldFault('code', 'Another coupon has this code', 'coupon.code_taken');
}
