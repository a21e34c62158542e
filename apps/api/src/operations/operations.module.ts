import { Module } from '@nestjs/common';
import { BillingModule } from '@commerce/billing';
import { CheckupsModule } from '@commerce/doctor';
import { EventsModule } from '@commerce/events';
import { PaymentsModule } from '@commerce/payments';

import { DueDeliveriesReader } from './due-deliveries-reader.js';
import { DueWorkReader } from './due-work-reader.js';
import { HoldReader } from './hold-reader.js';
import { OperationsController } from './operations.controller.js';

@Module({
  imports: [BillingModule, CheckupsModule, EventsModule, PaymentsModule],
  controllers: [OperationsController],
  providers: [DueDeliveriesReader, DueWorkReader, HoldReader],
})
export class OperationsApiModule {}
