import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  CouponReader,
  CouponRecord,
  Coupons,
  CreateCouponBody,
  ListCouponsQuery,
  SearchCouponsQuery,
  UpdateCouponBody,
} from '@commerce/catalog';
import type { Caller, Page } from '@commerce/data';

import { AdminOnly } from '../http/access.js';
import { Answers, Describe, Faults } from '../http/answers.js';
import { InOneCommit } from '../http/idempotency/idempotency.notes.js';
import { Delete, Post, Put } from '../http/methods.js';
import { BodyOf, Calling, Id, QueryOf } from '../http/params.js';

@ApiTags('coupons')
@Controller('coupons')
@InOneCommit()
export class CouponsController {
  constructor(
    private readonly coupons: Coupons,
    private readonly reader: CouponReader,
  ) {}

  @Describe(
    'Create a coupon',
    'Takes off either a part of the sum (`percent_off`) or an amount (`amount_off`, with `currency`). Without a `code`, one of six characters is drawn. `products` limits it to the lines of an order, or the items of a plan, that name them; `plans` to subscriptions of those plans; `duration` says which intervals of a subscription it lowers.',
  )
  @Post()
  @AdminOnly()
  @Answers(CouponRecord)
  @Faults(
    'coupon.code_taken',
    'coupon.no_discount',
    'coupon.two_discounts',
    'currency.unknown',
    'currency.unsupported',
    'amount.too_precise',
    'plan.unknown',
    'product.unknown',
  )
  create(@Calling() caller: Caller, @BodyOf(CreateCouponBody) body: CreateCouponBody): Promise<CouponRecord> {
    return this.coupons.create(caller, body);
  }

  @Describe('List coupons', 'By name unless `sort` says otherwise.')
  @Get()
  @AdminOnly()
  @Answers([CouponRecord])
  list(
    @Calling() caller: Caller,
    @QueryOf(ListCouponsQuery) query: ListCouponsQuery,
  ): Promise<Page<CouponRecord>> {
    return this.reader.list(caller, query);
  }

  @Describe(
    'Search coupons',
    'Finds `query` in codes and names, whatever its case, and as a whole among ids.',
  )
  @Get('search')
  @AdminOnly()
  @Answers([CouponRecord])
  search(
    @Calling() caller: Caller,
    @QueryOf(SearchCouponsQuery) query: SearchCouponsQuery,
  ): Promise<Page<CouponRecord>> {
    return this.reader.search(caller, query);
  }

  @Describe('Retrieve a coupon', 'Deleted coupons are shown too, with `delete` set.')
  @Get(':id')
  @AdminOnly()
  @Answers(CouponRecord)
  get(@Calling() caller: Caller, @Id() id: string): Promise<CouponRecord> {
    return this.reader.get(caller, id);
  }

  @Describe(
    'Update a coupon',
    'Fields that are left out stay as they are. Setting the other kind of discount removes the first.',
  )
  @Put(':id')
  @AdminOnly()
  @Answers(CouponRecord)
  @Faults(
    'coupon.code_taken',
    'coupon.no_discount',
    'coupon.two_discounts',
    'coupon.used_more_often',
    'currency.unknown',
    'currency.unsupported',
    'amount.too_precise',
    'plan.unknown',
    'product.unknown',
  )
  update(
    @Calling() caller: Caller,
    @Id() id: string,
    @BodyOf(UpdateCouponBody) body: UpdateCouponBody,
  ): Promise<CouponRecord> {
    return this.coupons.update(caller, id, body);
  }

  @Describe('Delete a coupon', 'The coupon keeps its record, inactive and with `delete` set.')
  @Delete(':id')
  @AdminOnly()
  @Answers(CouponRecord)
  delete(@Calling() caller: Caller, @Id() id: string): Promise<CouponRecord> {
    return this.coupons.delete(caller, id);
  }
}
