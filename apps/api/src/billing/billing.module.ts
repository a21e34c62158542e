import { Module } from '@nestjs/common';
import { BillingModule } from '@commerce/billing';

import { ForecastController } from './forecast.controller.js';
import { PlansController } from './plans.controller.js';
import { SubscriptionsController } from './subscriptions.controller.js';
import { TestClocksController } from './test-clocks.controller.js';

@Module({
  imports: [BillingModule],
  controllers: [ForecastController, PlansController, SubscriptionsController, TestClocksController],
})
export class BillingApiModule {}
