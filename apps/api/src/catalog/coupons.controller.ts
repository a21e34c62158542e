import { Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  CouponRecord,
  Coupons,
  CreateCouponBody,
  ListCouponsQuery,
  SearchCouponsQuery,
  UpdateCouponBody,
} from '@commerce/catalog';
import type { Caller, Page } from '@commerce/platform';

import { AdminOnly } from '../http/access.js';
import { Answers } from '../http/answers.js';
import { BodyOf, Calling, Id, QueryOf } from '../http/params.js';

@ApiTags('coupons')
@Controller('coupons')
export class CouponsController {
  constructor(private readonly coupons: Coupons) {}

  @Post()
  @AdminOnly()
  @Answers(CouponRecord)
  create(@Calling() caller: Caller, @BodyOf(CreateCouponBody) body: CreateCouponBody): Promise<CouponRecord> {
    return this.coupons.create(caller, body);
  }

  @Get()
  @AdminOnly()
  @Answers([CouponRecord])
  list(
    @Calling() caller: Caller,
    @QueryOf(ListCouponsQuery) query: ListCouponsQuery,
  ): Promise<Page<CouponRecord>> {
    return this.coupons.list(caller, query);
  }

  @Get('search')
  @AdminOnly()
  @Answers([CouponRecord])
  search(
    @Calling() caller: Caller,
    @QueryOf(SearchCouponsQuery) query: SearchCouponsQuery,
  ): Promise<Page<CouponRecord>> {
    return this.coupons.search(caller, query);
  }

  @Get(':id')
  @AdminOnly()
  @Answers(CouponRecord)
  get(@Calling() caller: Caller, @Id() id: string): Promise<CouponRecord> {
    return this.coupons.get(caller, id);
  }

  @Put(':id')
  @AdminOnly()
  @Answers(CouponRecord)
  update(
    @Calling() caller: Caller,
    @Id() id: string,
    @BodyOf(UpdateCouponBody) body: UpdateCouponBody,
  ): Promise<CouponRecord> {
    return this.coupons.update(caller, id, body);
  }

  @Delete(':id')
  @AdminOnly()
  @Answers(CouponRecord)
  delete(@Calling() caller: Caller, @Id() id: string): Promise<CouponRecord> {
    return this.coupons.delete(caller, id);
  }
}
