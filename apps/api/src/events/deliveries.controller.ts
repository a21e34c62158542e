import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Deliveries, DeliveryRecord, DeliveryRequestReader, type DeliveryRequest } from '@commerce/events';
import type { Caller } from '@commerce/data';

import { AdminOnly } from '../http/access.js';
import { Answers, Describe, Faults } from '../http/answers.js';
import { Post } from '../http/methods.js';
import { Calling, Id } from '../http/params.js';
import { DeliveryRequestReply } from './delivery-request.reply.js';

@ApiTags('webhooks')
@Controller('deliveries')
export class DeliveriesController {
  constructor(
    private readonly deliveries: Deliveries,
    private readonly requests: DeliveryRequestReader,
  ) {}

  @Describe('Retrieve a delivery', 'With its attempts, and what the endpoint answered.')
  @Get(':id')
  @AdminOnly()
  @Answers(DeliveryRecord)
  get(@Calling() caller: Caller, @Id() id: string): Promise<DeliveryRecord> {
    return this.deliveries.get(caller, id);
  }

  @Describe(
    'Retrieve the request of a delivery',
    'What its last attempt sent to the endpoint, byte for byte, with the signatures unless the secret was rotated since; before the first attempt, what that will send.',
  )
  @Get(':id/request')
  @AdminOnly()
  @Answers(DeliveryRequestReply)
  @Faults('event.not_found')
  request(@Calling() caller: Caller, @Id() id: string): Promise<DeliveryRequest> {
    return this.requests.read(caller, id);
  }

  @Describe('Retry a delivery', 'Makes one more attempt at once.')
  @Post(':id/retry')
  @AdminOnly()
  @Answers(DeliveryRecord)
  @Faults('delivery.state_conflict')
  retry(@Calling() caller: Caller, @Id() id: string): Promise<DeliveryRecord> {
    return this.deliveries.retry(caller, id);
  }
}
