import { Module } from '@nestjs/common';
import { BillingModule } from '@commerce/billing';
import { CheckupsModule } from '@commerce/doctor';
import { EventsModule } from '@commerce/events';
import { PaymentsModule } from '@commerce/payments';

import { DueWorkReader } from './due-work-reader.js';
import { OperationsController } from './operations.controller.js';

@Module({
  imports: [BillingModule, CheckupsModule, EventsModule, PaymentsModule],
  controllers: [OperationsController],
  providers: [DueWorkReader],
})
export class OperationsApiModule {}
