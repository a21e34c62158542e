import { Module } from '@nestjs/common';
import { EventsModule } from '@commerce/events';

import { DeliveriesController } from './deliveries.controller.js';
import { EventsController } from './events.controller.js';
import { WebhooksController } from './webhooks.controller.js';

@Module({
  imports: [EventsModule],
  controllers: [WebhooksController, DeliveriesController, EventsController],
})
export class EventsApiModule {}
