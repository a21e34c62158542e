export { BillingModule } from './billing.module.js';
export { BillingProcessor } from './cycle/billing-processor.js';
export {
  boundaryFrom,
  intervalFrom,
  isBoundary,
  type ImportFacts as TakeOverFacts,
} from './domain/actions/import.js';
export { debtBreakdown } from './domain/cycle/charges.js';
export type { PreviewedCharge } from './domain/ahead/lookahead.js';
export { SUBSCRIPTION_STATUSES, type SubscriptionStatus } from './domain/lifecycle/subscription-state.js';
export { debtNumber } from './domain/receivable/open-payment.js';
export { ForecastReader, type Forecast } from './forecast/forecast-reader.js';
export { RecentForecastReader } from './forecast/recent-forecast-reader.js';
export { ForecastQuery } from './forecast/forecast.dto.js';
export { ActionPreviewReader, type UpcomingCharges } from './forecast/action-preview-reader.js';
export { PREVIEWED_FIELDS, PlanPreviewer, type PreviewedPlan } from './forecast/plan-previewer.js';
export { PreviewPlanBody } from './forecast/plan-preview.dto.js';
export { UpcomingChargesReader } from './forecast/upcoming-charges-reader.js';
export { DebtReader, type Debts } from './revenue/debt-reader.js';
export { RevenueReader, type Revenue } from './revenue/revenue-reader.js';
export { DebtsQuery, RevenueQuery } from './revenue/revenue.dto.js';

export { CreatePlanBody, ListPlansQuery, UpdatePlanBody } from './plans/plan.dto.js';
export { MAX_INTERVAL_COUNT, PlanRecord } from './plans/plan.record.js';
export { isVatUnsaid } from './plans/plan-tax.rules.js';
export { Plans } from './plans/plan.service.js';
export { PlanStore } from './plans/plan.store.js';
export { ChangePlanBody, PreviewChangeBody } from './plan-changes/change-plan.dto.js';
export type { SubscriptionOutcome } from './subscriptions/quote-writer.js';
export { PlanChanger, type PreviewedChange } from './plan-changes/plan-changer.js';
export { SubscriptionCreator, type TakenOverSubscription } from './subscriptions/subscription-creator.js';
export { SubscriptionReader } from './subscriptions/subscription-reader.js';
export {
  CreateSubscriptionBody,
  ListSubscriptionsQuery,
  PauseSubscriptionBody,
  PreviewSubscriptionBody,
  SearchSubscriptionsQuery,
  StartSubscriptionBody,
  StopSubscriptionBody,
  UpcomingChargesQuery,
  UpdateSubscriptionBody,
} from './subscriptions/subscription.dto.js';
export { MAX_QUANTITY } from './subscription-record/subscription-limits.js';
export { booksProblem } from './subscription-record/books-problem.js';
export { SHOWN_PAYMENTS, SubscriptionRecord } from './subscription-record/subscription.record.js';
export { isLostStart } from './subscription-record/coupon-redemption.js';
export { SubscriptionStore } from './subscription-record/subscription.store.js';
export { Subscriptions } from './subscriptions/subscriptions.service.js';
export {
  AdvanceTestClockBody,
  CreateTestClockBody,
  ListTestClocksQuery,
} from './test-clocks/test-clock.dto.js';
export { TestClocks } from './test-clocks/test-clock.service.js';
