import { Controller, Delete, Get, HttpCode, Post, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  CreateWebhookBody,
  Deliveries,
  DeliveryRecord,
  EventSimulator,
  ListDeliveriesQuery,
  ListWebhooksQuery,
  UpdateWebhookBody,
  WebhookRecord,
  Webhooks,
} from '@commerce/events';
import type { Caller, Page } from '@commerce/platform';

import { AdminOnly } from '../http/access.js';
import { Answers } from '../http/answers.js';
import { BodyOf, Calling, Id, QueryOf } from '../http/params.js';
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
  list(
    @Calling() caller: Caller,
    @QueryOf(ListWebhooksQuery) query: ListWebhooksQuery,
  ): Promise<Page<WebhookRecord>> {
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

  /** Calls the endpoint once; any answer of 2XX verifies it. */
  @Post(':id/verify')
  @AdminOnly()
  @Answers(WebhookRecord)
  verify(@Calling() caller: Caller, @Id() id: string): Promise<WebhookRecord> {
    return this.webhooks.verify(caller, id);
  }

  /** Sends a simulated event of the webhook's kind to its endpoint. */
  @Post(':id/simulate')
  @AdminOnly()
  @HttpCode(204)
  simulate(@Calling() caller: Caller, @Id() id: string): Promise<void> {
    return this.simulator.simulate(caller, id);
  }

  /** Replaces the secret; for a day, deliveries are signed with the previous one as well. */
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
    @QueryOf(ListDeliveriesQuery) query: ListDeliveriesQuery,
  ): Promise<Page<DeliveryRecord>> {
    return this.deliveries.list(caller, id, query);
  }
}
