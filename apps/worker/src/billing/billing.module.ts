import { Module } from '@nestjs/common';
import { BillingModule } from '@commerce/billing';

import { BillingJobHandler } from './billing.processor.js';
import { DueSubscriptionsSweep } from './billing.sweep.js';
import { TestClocksProcessor } from './test-clocks.processor.js';
import { AdvancingClocksSweep } from './test-clocks.sweep.js';

@Module({
  imports: [BillingModule],
  providers: [BillingJobHandler, DueSubscriptionsSweep, TestClocksProcessor, AdvancingClocksSweep],
})
export class BillingWorkerModule {}
