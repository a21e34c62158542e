import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { CatalogModule } from '@commerce/catalog';
import { PaymentsModule } from '@commerce/payments';
import { recordModels } from '@commerce/records';

import { BillingProcessor } from './cycle/billing-processor.js';
import { BillingSweep } from './cycle/billing-sweep.js';
import { ConsequenceReader } from './cycle/consequence-reader.js';
import { DecisionInputReader } from './cycle/decision-input-reader.js';
import { BillingStepProcessor } from './cycle/billing-step-processor.js';
import { BillingStepRunner } from './cycle/billing-step-runner.js';
import { ChargeLimiter } from './cycle/charge-limiter.js';
import { SubscriptionHolder } from './cycle/subscription-holder.js';
import { SubscriberGuard } from './customers/subscriber-guard.js';
import { RefundableReader } from './subscriptions/refundable-reader.js';
import { RefundReserver } from './subscriptions/refund-reserver.js';
import { PlanChangeDecider } from './plan-changes/plan-change-decider.js';
import { PlanChanger } from './plan-changes/plan-changer.js';
import { DiscountReader } from './terms/discount-reader.js';
import { PayabilityReader } from './terms/payability-reader.js';
import { SubscriptionCouponUsage } from './usages/subscription-coupon-usage.js';
import { SubscriptionSupplyReader } from './supplies/subscription-supply-reader.js';
import { TermsReader } from './terms/terms-reader.js';
import { RestoredPaymentFollower } from './cycle/restored-payment-follower.js';
import { SubscriptionPaymentOwner } from './cycle/subscription-payment-owner.js';
import { CouponPlanReader } from './plans/coupon-plan-reader.js';
import { PlanProductUsage } from './plans/plan-product-usage.js';
import { ActionPreviewReader } from './forecast/action-preview-reader.js';
import { DebtReader } from './revenue/debt-reader.js';
import { RecentForecastReader } from './forecast/recent-forecast-reader.js';
import { RevenueReader } from './revenue/revenue-reader.js';
import { RevenueStore } from './revenue/revenue.store.js';
import { ForecastReader } from './forecast/forecast-reader.js';
import { BalanceSharingReader } from './forecast/balance-sharing-reader.js';
import { UpcomingChargesReader } from './forecast/upcoming-charges-reader.js';
import { PlanDrafter } from './plans/plan-drafter.js';
import { PlanPresenter } from './plans/plan-presenter.js';
import { PlanPricer } from './plans/plan-pricer.js';
import { PlanRecord } from './plans/plan.record.js';
import { PlanTaxUpdater } from './plans/plan-tax-updater.js';
import { Plans } from './plans/plan.service.js';
import { PlanStore } from './plans/plan.store.js';
import { PlanPreviewer } from './forecast/plan-previewer.js';
import { SubscriptionCreator } from './subscriptions/subscription-creator.js';
import { SubscriptionMethodUsage } from './usages/subscription-method-usage.js';
import { SubscriptionUserUsage } from './usages/subscription-user-usage.js';
import { SubscriptionReader } from './subscriptions/subscription-reader.js';
import { QuoteWriter } from './subscriptions/quote-writer.js';
import { QuoteProcessor } from './subscriptions/quote-processor.js';
import { SubscriptionWriter } from './subscriptions/subscription-writer.js';
import { SubscriptionRecord } from './subscription-record/subscription.record.js';
import { CouponUseStore } from './subscription-record/coupon-use.store.js';
import { SubscriptionStore } from './subscription-record/subscription.store.js';
import { Subscriptions } from './subscriptions/subscriptions.service.js';
import { TestClockWriter } from './test-clocks/test-clock-writer.js';
import { TestClockSweep } from './test-clocks/test-clock-sweep.js';
import { TestClockRunner } from './test-clocks/test-clock-runner.js';
import { TestClocks } from './test-clocks/test-clock.service.js';

const inner = [
  BalanceSharingReader,
  BillingStepProcessor,
  ConsequenceReader,
  SubscriberGuard,
  DecisionInputReader,
  BillingStepRunner,
  ChargeLimiter,
  CouponUseStore,
  SubscriptionHolder,
  RefundableReader,
  RefundReserver,
  RevenueStore,
  PlanChangeDecider,
  QuoteWriter,
  QuoteProcessor,
  PlanDrafter,
  PlanPresenter,
  PlanTaxUpdater,
  SubscriptionSupplyReader,
  TermsReader,
  TestClockWriter,
  PlanPricer,
  CouponPlanReader,
  PlanProductUsage,
  DiscountReader,
  PayabilityReader,
  SubscriptionCouponUsage,
  SubscriptionMethodUsage,
  RestoredPaymentFollower,
  SubscriptionPaymentOwner,
  SubscriptionUserUsage,
  SubscriptionWriter,
];

const outer = [
  ActionPreviewReader,
  BillingProcessor,
  BillingSweep,
  DebtReader,
  ForecastReader,
  PlanChanger,
  PlanPreviewer,
  Plans,
  PlanStore,
  RecentForecastReader,
  RevenueReader,
  SubscriptionCreator,
  SubscriptionReader,
  SubscriptionStore,
  Subscriptions,
  TestClockRunner,
  TestClockSweep,
  TestClocks,
  UpcomingChargesReader,
];

/** Plans, subscriptions, their billing, and the test clocks on which it can be tried. */
@Module({
  imports: [CatalogModule, DiscoveryModule, PaymentsModule, recordModels(PlanRecord, SubscriptionRecord)],
  providers: [...inner, ...outer],
  exports: outer,
})
export class BillingModule {}
