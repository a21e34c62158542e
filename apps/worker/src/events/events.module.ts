import { Module } from '@nestjs/common';
import { DeliveryModule } from '@commerce/events';

import { DeliverProcessor } from './deliver.processor.js';
import { DueDeliveriesSweep } from './deliveries.sweep.js';
import { RedeliverProcessor } from './redeliver.processor.js';
import { RelayProcessor } from './relay.processor.js';
import { PendingEventsSweep } from './relay.sweep.js';

@Module({
  imports: [DeliveryModule],
  providers: [DeliverProcessor, DueDeliveriesSweep, PendingEventsSweep, RedeliverProcessor, RelayProcessor],
})
export class EventsWorkerModule {}
