import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  CreatePlanBody,
  ListPlansQuery,
  PlanPreviewer,
  PlanRecord,
  Plans,
  PreviewPlanBody,
  UpdatePlanBody,
  type PreviewedPlan,
} from '@commerce/billing';
import type { Caller, Page } from '@commerce/data';

import { AdminOnly } from '../http/access.js';
import { Answers, Describe, Faults } from '../http/answers.js';
import { InOneCommit, InSeveralCommits } from '../http/idempotency/idempotency.notes.js';
import { Delete, Post, Put, PostReading } from '../http/methods.js';
import { BodyOf, Calling, Id, QueryOf } from '../http/params.js';
import { PreviewedPlanReply } from './previewed-charge.reply.js';

const PRICING = [
  'product.unknown',
  'product.currency_changed',
  'currency.unknown',
  'currency.unsupported',
  'amount.invalid',
  'amount.too_precise',
  'amount.not_chargeable',
  'fraction.out_of_range',
  'tax.rate_missing',
  'quantity.invalid',
];

@ApiTags('plans')
@Controller('plans')
@InOneCommit()
export class PlansController {
  constructor(
    private readonly plans: Plans,
    private readonly previews: PlanPreviewer,
  ) {}

  @Describe(
    'Create a plan',
    'What a plan costs is fixed when it is created: either `total_amount`, or the sum of its `items`. A price without items has a `vat` and a `tax_category` of its own; where they are missing, `warnings` says so.',
  )
  @Post()
  @AdminOnly()
  @Answers(PlanRecord)
  @Faults(...PRICING)
  create(@Calling() caller: Caller, @BodyOf(CreatePlanBody) body: CreatePlanBody): Promise<PlanRecord> {
    return this.plans.create(caller, body);
  }

  @Describe(
    'Preview a plan',
    'What a plan with this body costs, and the first charges of a customer in the country of the seller who subscribes to it now, with dates, amounts and breakdowns. Nothing is stored.',
  )
  @PostReading('preview')
  @AdminOnly()
  @InSeveralCommits()
  @Answers(PreviewedPlanReply)
  @Faults(...PRICING)
  preview(@Calling() caller: Caller, @BodyOf(PreviewPlanBody) body: PreviewPlanBody): Promise<PreviewedPlan> {
    return this.previews.preview(caller, body);
  }

  @Describe('List plans', 'The newest first.')
  @Get()
  @AdminOnly()
  @Answers([PlanRecord])
  list(@Calling() caller: Caller, @QueryOf(ListPlansQuery) query: ListPlansQuery): Promise<Page<PlanRecord>> {
    return this.plans.list(caller, query);
  }

  @Describe('Retrieve a plan', 'Deleted plans are shown too, with `deleted` set.')
  @Get(':id')
  @AdminOnly()
  @Answers(PlanRecord)
  get(@Calling() caller: Caller, @Id() id: string): Promise<PlanRecord> {
    return this.plans.get(caller, id);
  }

  @Describe(
    'Update a plan',
    'Changes its name, its note, its tax and whether it is offered; its price never changes. Where VAT is added to prices, another `vat` changes what is charged from the next period on. Of a deleted plan, the tax can be changed: its subscriptions continue.',
  )
  @Put(':id')
  @AdminOnly()
  @Answers(PlanRecord)
  @Faults('tax.rate_missing')
  update(
    @Calling() caller: Caller,
    @Id() id: string,
    @BodyOf(UpdatePlanBody) body: UpdatePlanBody,
  ): Promise<PlanRecord> {
    return this.plans.update(caller, id, body);
  }

  @Describe('Delete a plan', 'Nobody can subscribe to it any more. Subscriptions that use it go on.')
  @Delete(':id')
  @AdminOnly()
  @Answers(PlanRecord)
  delete(@Calling() caller: Caller, @Id() id: string): Promise<PlanRecord> {
    return this.plans.delete(caller, id);
  }
}
