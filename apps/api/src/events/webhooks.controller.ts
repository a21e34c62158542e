import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  CreateWebhookBody,
  Deliveries,
  DeliveryRecord,
  EndpointHealthReader,
  EventSimulator,
  ListDeliveriesQuery,
  ListWebhooksQuery,
  SimulateEventBody,
  UpdateWebhookBody,
  WebhookRecord,
  Webhooks,
  type ListedHealth,
  type WebhookHealth,
} from '@commerce/events';
import type { Caller, Page } from '@commerce/data';

import { AdminOnly } from '../http/access.js';
import { Answers, AnswersNothing, Describe, Faults } from '../http/answers.js';
import { Delete, Post, Put } from '../http/methods.js';
import { ResumedBy, ShownBy } from '../http/idempotency/idempotency.notes.js';
import { BodyOf, Calling, Id, QueryOf } from '../http/params.js';
import { AskedVersion } from './asked-version.js';
import { ListedHealthReply, WebhookHealthReply } from './webhook-health.reply.js';

@ApiTags('webhooks')
@Controller('webhooks')
export class WebhooksController {
  constructor(
    private readonly webhooks: Webhooks,
    private readonly simulator: EventSimulator,
    private readonly deliveries: Deliveries,
    private readonly health: EndpointHealthReader,
  ) {}

  @Describe(
    'Create a webhook',
    'It is sent events of one kind, `event_type`, or of several, `kinds`. Its endpoint is called at once to verify it, unless `confirm` is `later`. Events go to verified and active webhooks only. The webhook shows the secret that signs its deliveries.',
  )
  @Post()
  @ResumedBy('get')
  @ShownBy('get')
  @AdminOnly()
  @Answers(WebhookRecord)
  @Faults('webhook.endpoint_refused', 'webhook.too_many')
  create(
    @Calling() caller: Caller,
    @BodyOf(CreateWebhookBody) body: CreateWebhookBody,
    @AskedVersion() version: string,
  ): Promise<WebhookRecord> {
    return this.webhooks.create(caller, body, version);
  }

  @Describe('List webhooks', 'The newest first.')
  @Get()
  @AdminOnly()
  @Answers([WebhookRecord])
  list(
    @Calling() caller: Caller,
    @QueryOf(ListWebhooksQuery) query: ListWebhooksQuery,
  ): Promise<Page<WebhookRecord>> {
    return this.webhooks.list(caller, query);
  }

  @Describe(
    'List how the endpoints are',
    'For each webhook of the list, in its order: whether its endpoint accepts what is sent, and its attempts of the last day by hour. The more webhooks, the fewer deliveries of each are looked at.',
  )
  @Get('health')
  @AdminOnly()
  @Answers([ListedHealthReply])
  @Faults('query.timeout')
  listHealth(
    @Calling() caller: Caller,
    @QueryOf(ListWebhooksQuery) query: ListWebhooksQuery,
  ): Promise<readonly ListedHealth[]> {
    return this.health.list(caller, query);
  }

  @Describe('Retrieve a webhook', 'Deleted webhooks are shown too, with `deleted` set.')
  @Get(':id')
  @AdminOnly()
  @Answers(WebhookRecord)
  get(@Calling() caller: Caller, @Id() id: string): Promise<WebhookRecord> {
    return this.webhooks.get(caller, id);
  }

  @Describe(
    'Update a webhook',
    'A new endpoint is not verified. `active` brings back a webhook that was switched off.',
  )
  @Put(':id')
  @ResumedBy('get')
  @ShownBy('get')
  @AdminOnly()
  @Answers(WebhookRecord)
  @Faults('webhook.endpoint_refused')
  update(
    @Calling() caller: Caller,
    @Id() id: string,
    @BodyOf(UpdateWebhookBody) body: UpdateWebhookBody,
  ): Promise<WebhookRecord> {
    return this.webhooks.update(caller, id, body);
  }

  @Describe('Delete a webhook', 'It is sent nothing any more, and keeps its record with `deleted` set.')
  @Delete(':id')
  @ResumedBy('get')
  @ShownBy('get')
  @AdminOnly()
  @Answers(WebhookRecord)
  delete(@Calling() caller: Caller, @Id() id: string): Promise<WebhookRecord> {
    return this.webhooks.delete(caller, id);
  }

  @Describe('Verify a webhook', 'Calls the endpoint once; an answer of 2XX verifies it.')
  @Post(':id/verify')
  @ResumedBy('get')
  @ShownBy('get')
  @AdminOnly()
  @Answers(WebhookRecord)
  verify(@Calling() caller: Caller, @Id() id: string): Promise<WebhookRecord> {
    return this.webhooks.verify(caller, id);
  }

  @Describe(
    'Simulate an event',
    'Sends a made-up event of the `kind`, or of the first kind of the webhook, to its endpoint.',
  )
  @Post(':id/simulate')
  @AdminOnly()
  @AnswersNothing()
  @Faults('webhook.state_conflict')
  simulate(
    @Calling() caller: Caller,
    @Id() id: string,
    @BodyOf(SimulateEventBody) body: SimulateEventBody,
  ): Promise<void> {
    return this.simulator.simulate(caller, id, body);
  }

  @Describe(
    'Rotate the secret of a webhook',
    'Gives it a new secret. For a day, deliveries are signed with the old one as well.',
  )
  @Post(':id/rotate_secret')
  @ResumedBy('get')
  @ShownBy('get')
  @AdminOnly()
  @Answers(WebhookRecord)
  rotateSecret(@Calling() caller: Caller, @Id() id: string): Promise<WebhookRecord> {
    return this.webhooks.rotateSecret(caller, id);
  }

  @Describe(
    'Retrieve how an endpoint is',
    'Whether it accepts what is sent to it, since when it does not, what waits for it, and the attempts of the last day by hour.',
  )
  @Get(':id/health')
  @AdminOnly()
  @Answers(WebhookHealthReply)
  @Faults('query.timeout')
  readHealth(@Calling() caller: Caller, @Id() id: string): Promise<WebhookHealth> {
    return this.health.read(caller, id);
  }

  @Describe('List the deliveries of a webhook', 'The newest first.')
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
