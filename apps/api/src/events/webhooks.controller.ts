import { Controller, Delete, Get, HttpCode, Post, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  CreateWebhookBody,
  Deliveries,
  EventSimulator,
  UpdateWebhookBody,
  Webhooks,
  DeliveryRecord,
  WebhookRecord,
} from '@commerce/events';
import type { Caller, Page, RawQuery } from '@commerce/platform';

import { AdminOnly } from '../http/access.js';
import { Answers } from '../http/answers.js';
import { BodyOf, Calling, Id, RawQueryOf } from '../http/params.js';
import { AskedVersion } from './asked-version.js';

@ApiTags('webhooks')
@Controller('webhooks')
export class WebhooksController {
  constructor(
    private readonly webhooks: Webhooks,
    private readonly simulator: EventSimulator,
    private readonly deliveries: Deliveries,
  ) {}

  @Post()
  @AdminOnly()
  @Answers(WebhookRecord)
  create(
    @Calling() caller: Caller,
    @BodyOf(CreateWebhookBody) body: CreateWebhookBody,
    @AskedVersion() version: string,
  ): Promise<WebhookRecord> {
    return this.webhooks.create(caller, body, version);
  }

  @Get()
  @AdminOnly()
  @Answers([WebhookRecord])
  list(@Calling() caller: Caller, @RawQueryOf() query: RawQuery): Promise<Page<WebhookRecord>> {
    return this.webhooks.list(caller, query);
  }

  @Get(':id')
  @AdminOnly()
  @Answers(WebhookRecord)
  get(@Calling() caller: Caller, @Id() id: string): Promise<WebhookRecord> {
    return this.webhooks.get(caller, id);
  }

  @Put(':id')
  @AdminOnly()
  @Answers(WebhookRecord)
  update(
    @Calling() caller: Caller,
    @Id() id: string,
    @BodyOf(UpdateWebhookBody) body: UpdateWebhookBody,
  ): Promise<WebhookRecord> {
    return this.webhooks.update(caller, id, body);
  }

  @Delete(':id')
  @AdminOnly()
  @Answers(WebhookRecord)
  delete(@Calling() caller: Caller, @Id() id: string): Promise<WebhookRecord> {
    return this.webhooks.delete(caller, id);
  }

  /** Calls the endpoint once; an answer of 2XX verifies it. */
  @Post(':id/verify')
  @AdminOnly()
  @Answers(WebhookRecord)
  verify(@Calling() caller: Caller, @Id() id: string): Promise<WebhookRecord> {
    return this.webhooks.verify(caller, id);
  }

  /** Sends a made-up event of the webhook's kind to its endpoint. */
  @Post(':id/simulate')
  @AdminOnly()
  @HttpCode(204)
  simulate(@Calling() caller: Caller, @Id() id: string): Promise<void> {
    return this.simulator.simulate(caller, id);
  }

  /** Gives the webhook a new secret; the old one signs along for a day. */
  @Post(':id/rotate_secret')
  @AdminOnly()
  @Answers(WebhookRecord)
  rotateSecret(@Calling() caller: Caller, @Id() id: string): Promise<WebhookRecord> {
    return this.webhooks.rotateSecret(caller, id);
  }

  @Get(':id/deliveries')
  @AdminOnly()
  @Answers([DeliveryRecord])
  listDeliveries(
    @Calling() caller: Caller,
    @Id() id: string,
    @RawQueryOf() query: RawQuery,
  ): Promise<Page<DeliveryRecord>> {
    return this.deliveries.ofWebhook(caller, id, query);
  }
}
