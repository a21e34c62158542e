import { Module } from '@nestjs/common';
import { BillingModule } from '@commerce/billing';
import { PaymentsModule } from '@commerce/payments';

import { ForecastController } from './forecast.controller.js';
import { PlanChangesController } from './plan-changes.controller.js';
import { PlansController } from './plans.controller.js';
import { RevenueController } from './revenue.controller.js';
import { SubscriptionPresenter } from './subscription-presenter.js';
import { SubscriptionsController } from './subscriptions.controller.js';
import { TestClocksController } from './test-clocks.controller.js';

@Module({
  imports: [BillingModule, PaymentsModule],
  controllers: [
    ForecastController,
    PlansController,
    PlanChangesController,
    RevenueController,
    SubscriptionsController,
    TestClocksController,
  ],
  providers: [SubscriptionPresenter],
})
export class BillingApiModule {}
