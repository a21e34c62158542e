import { Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CreatePlanBody, ListPlansQuery, Plans, UpdatePlanBody, PlanRecord } from '@commerce/billing';
import type { Caller, Page } from '@commerce/platform';

import { AdminOnly } from '../http/access.js';
import { Answers } from '../http/answers.js';
import { BodyOf, Calling, Id, QueryOf } from '../http/params.js';

@ApiTags('plans')
@Controller('plans')
export class PlansController {
  constructor(private readonly plans: Plans) {}

  @Post()
  @AdminOnly()
  @Answers(PlanRecord)
  create(@Calling() caller: Caller, @BodyOf(CreatePlanBody) body: CreatePlanBody): Promise<PlanRecord> {
    return this.plans.create(caller, body);
  }

  @Get()
  @AdminOnly()
  @Answers([PlanRecord])
  list(@Calling() caller: Caller, @QueryOf(ListPlansQuery) query: ListPlansQuery): Promise<Page<PlanRecord>> {
    return this.plans.list(caller, query);
  }

  @Get(':id')
  @AdminOnly()
  @Answers(PlanRecord)
  get(@Calling() caller: Caller, @Id() id: string): Promise<PlanRecord> {
    return this.plans.get(caller, id);
  }

  @Put(':id')
  @AdminOnly()
  @Answers(PlanRecord)
  update(
    @Calling() caller: Caller,
    @Id() id: string,
    @BodyOf(UpdatePlanBody) body: UpdatePlanBody,
  ): Promise<PlanRecord> {
    return this.plans.update(caller, id, body);
  }

  @Delete(':id')
  @AdminOnly()
  @Answers(PlanRecord)
  delete(@Calling() caller: Caller, @Id() id: string): Promise<PlanRecord> {
    return this.plans.delete(caller, id);
  }
}
