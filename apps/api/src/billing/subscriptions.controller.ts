import { Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  CreateSubscriptionBody,
  ListSubscriptionsQuery,
  PauseSubscriptionBody,
  PreviewSubscriptionBody,
  SearchSubscriptionsQuery,
  StartSubscriptionBody,
  StopSubscriptionBody,
  SubscriptionCreator,
  SubscriptionReader,
  Subscriptions,
  UpdateSubscriptionBody,
  type PreviewedCharge,
  SubscriptionRecord,
} from '@commerce/billing';
import type { Caller, Page } from '@commerce/platform';

import { AdminOnly, UserOrAdmin } from '../http/access.js';
import { Answers } from '../http/answers.js';
import { BodyOf, Calling, Id, QueryOf } from '../http/params.js';

@ApiTags('subscriptions')
@Controller('subscriptions')
export class SubscriptionsController {
  constructor(
    private readonly subscriptions: Subscriptions,
    private readonly reader: SubscriptionReader,
    private readonly creator: SubscriptionCreator,
  ) {}

  @Post()
  @UserOrAdmin()
  @Answers(SubscriptionRecord)
  create(
    @Calling() caller: Caller,
    @BodyOf(CreateSubscriptionBody) body: CreateSubscriptionBody,
  ): Promise<SubscriptionRecord> {
    return this.creator.create(caller, body);
  }

  @Post('preview')
  @UserOrAdmin()
  preview(
    @Calling() caller: Caller,
    @BodyOf(PreviewSubscriptionBody) body: PreviewSubscriptionBody,
  ): Promise<readonly PreviewedCharge[]> {
    return this.creator.preview(caller, body);
  }

  @Get()
  @UserOrAdmin()
  @Answers([SubscriptionRecord])
  list(
    @Calling() caller: Caller,
    @QueryOf(ListSubscriptionsQuery) query: ListSubscriptionsQuery,
  ): Promise<Page<SubscriptionRecord>> {
    return this.reader.list(caller, query);
  }

  @Get('search')
  @AdminOnly()
  @Answers([SubscriptionRecord])
  search(
    @Calling() caller: Caller,
    @QueryOf(SearchSubscriptionsQuery) query: SearchSubscriptionsQuery,
  ): Promise<Page<SubscriptionRecord> | AsyncIterable<SubscriptionRecord>> {
    return this.reader.search(caller, query);
  }

  @Get(':id')
  @UserOrAdmin()
  @Answers(SubscriptionRecord)
  get(@Calling() caller: Caller, @Id() id: string): Promise<SubscriptionRecord> {
    return this.reader.get(caller, id);
  }

  @Put(':id')
  @UserOrAdmin()
  @Answers(SubscriptionRecord)
  update(
    @Calling() caller: Caller,
    @Id() id: string,
    @BodyOf(UpdateSubscriptionBody) body: UpdateSubscriptionBody,
  ): Promise<SubscriptionRecord> {
    return this.subscriptions.update(caller, id, body);
  }

  @Delete(':id')
  @AdminOnly()
  @Answers(SubscriptionRecord)
  delete(@Calling() caller: Caller, @Id() id: string): Promise<SubscriptionRecord> {
    return this.subscriptions.delete(caller, id);
  }

  @Post(':id/start')
  @UserOrAdmin()
  @Answers(SubscriptionRecord)
  start(
    @Calling() caller: Caller,
    @Id() id: string,
    @BodyOf(StartSubscriptionBody) body: StartSubscriptionBody,
  ): Promise<SubscriptionRecord> {
    return this.subscriptions.start(caller, id, body);
  }

  @Post(':id/stop')
  @UserOrAdmin()
  @Answers(SubscriptionRecord)
  stop(
    @Calling() caller: Caller,
    @Id() id: string,
    @BodyOf(StopSubscriptionBody) body: StopSubscriptionBody,
  ): Promise<SubscriptionRecord> {
    return this.subscriptions.stop(caller, id, body);
  }

  @Post(':id/pause')
  @UserOrAdmin()
  @Answers(SubscriptionRecord)
  pause(
    @Calling() caller: Caller,
    @Id() id: string,
    @BodyOf(PauseSubscriptionBody) body: PauseSubscriptionBody,
  ): Promise<SubscriptionRecord> {
    return this.subscriptions.pause(caller, id, body);
  }
}
