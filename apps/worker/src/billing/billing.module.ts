import { Module } from '@nestjs/common';
import { BillingModule } from '@commerce/billing';

import { BillingProcessor } from './billing.processor.js';
import { DueSubscriptionsSweep } from './billing.sweep.js';
import { TestClocksProcessor } from './test-clocks.processor.js';
import { AdvancingClocksSweep } from './test-clocks.sweep.js';

@Module({
  imports: [BillingModule],
  providers: [BillingProcessor, DueSubscriptionsSweep, TestClocksProcessor, AdvancingClocksSweep],
})
export class BillingWorkerModule {}
