import { Module } from '@nestjs/common';
import { CatalogModule } from '@commerce/catalog';
import { PaymentsModule } from '@commerce/payments';
import { recordModels } from '@commerce/platform';

import { BillingCycle } from './cycle/billing-cycle.js';
import { BillingInstants } from './cycle/billing-instants.js';
import { BillingSteps } from './cycle/billing-step.service.js';
import { BillingTerms } from './cycle/billing-terms.service.js';
import {
  SubscriptionPayments,
  SubscriptionPaymentsRegistration,
} from './cycle/subscription-payments.service.js';
import { PlanPrices } from './plans/plan-prices.service.js';
import { PlanRecord } from './plans/plan.record.js';
import { Plans } from './plans/plan.service.js';
import { PlanStore } from './plans/plan.store.js';
import { Subscribers } from './subscriptions/subscriber.service.js';
import { SubscriptionCreation } from './subscriptions/subscription-creation.service.js';
import { SubscriptionMethods } from './subscriptions/subscription-methods.service.js';
import { SubscriptionReading } from './subscriptions/subscription-reading.service.js';
import { SubscriptionWriter } from './subscriptions/subscription-writer.service.js';
import { SubscriptionRecord } from './subscriptions/subscription.record.js';
import { SubscriptionStore } from './subscriptions/subscription.store.js';
import { Subscriptions } from './subscriptions/subscriptions.service.js';
import { ClockWays } from './test-clocks/clock-ways.js';
import { TestClockRun } from './test-clocks/test-clock-run.js';
import { TestClocks } from './test-clocks/test-clock.service.js';

const inner = [
  BillingInstants,
  BillingSteps,
  BillingTerms,
  ClockWays,
  PlanPrices,
  Subscribers,
  SubscriptionMethods,
  SubscriptionPayments,
  SubscriptionPaymentsRegistration,
  SubscriptionWriter,
];

const outer = [
  BillingCycle,
  Plans,
  PlanStore,
  SubscriptionCreation,
  SubscriptionReading,
  SubscriptionStore,
  Subscriptions,
  TestClockRun,
  TestClocks,
];

/** Plans, subscriptions, their billing, and the test clocks on which it can be tried. */
@Module({
  imports: [CatalogModule, PaymentsModule, recordModels(PlanRecord, SubscriptionRecord)],
  providers: [...inner, ...outer],
  exports: outer,
})
export class BillingModule {}
