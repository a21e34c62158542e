import { Controller, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Deliveries, DeliveryRecord } from '@commerce/events';
import type { Caller } from '@commerce/platform';

import { AdminOnly } from '../http/access.js';
import { Answers, Describe, Faults } from '../http/answers.js';
import { Calling, Id } from '../http/params.js';

@ApiTags('webhooks')
@Controller('deliveries')
export class DeliveriesController {
  constructor(private readonly deliveries: Deliveries) {}

  @Describe('Retrieve a delivery', 'With its attempts, and what the endpoint answered.')
  @Get(':id')
  @AdminOnly()
  @Answers(DeliveryRecord)
  get(@Calling() caller: Caller, @Id() id: string): Promise<DeliveryRecord> {
    return this.deliveries.get(caller, id);
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
