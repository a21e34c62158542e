export { BalanceReader } from './balance/balance-reader.js';
export { CreditRecord } from './balance/credit.record.js';
export { CreditStore } from './balance/credit.store.js';
export { GrantCreditBody, ListCreditsQuery } from './balance/credits.dto.js';
export { Credits } from './balance/credits.service.js';
export { InvoiceDueWriter } from './invoicing/invoice-due-writer.js';
export { InvoiceDueStore, type InvoiceDue } from './invoicing/invoice-due.store.js';
export { UsesPaymentMethods, type PaymentMethodUsage } from './methods/payment-method-usage.js';
export { PaymentMethodRecord } from './methods/payment-method.record.js';
export { TaxBuyerReader } from './methods/tax-buyer-reader.js';
export { PaymentMethodStore } from './methods/payment-method.store.js';
export {
  CreatePaymentMethodBody,
  DeletePaymentMethodQuery,
  ListPaymentMethodsQuery,
  UpdatePaymentMethodBody,
} from './methods/payment-methods.dto.js';
export { PaymentMethods } from './methods/payment-methods.service.js';
export { BillingHoldStore } from './charging/billing-hold.store.js';
export { belowMinimum } from './provider/below-minimum.js';
export { BELOW_MINIMUM, INTENT_CANCELLED, type ChargeOutcome } from './payments/charge-outcome.js';
export { GENERIC_DECLINE, withoutDeclineReasons } from './showing/decline-reason.js';
export { withClientSecret } from './showing/client-secret.js';
export { PayLinks } from './showing/pay-links.js';
export { type RefundDraft } from './payments/payment-refund.rules.js';
export { heldMinor, paidByCardMinor, refundableMinor } from './payments/refund-amounts.js';
export { PaymentRecord } from './payments/payment.record.js';
export {
  isCollected,
  isInFlight,
  isRestored,
  isAwaited,
  isWaiting,
  requireAttemptLeft,
  usableIntent,
} from './payments/payment.rules.js';
export { grossMinor } from './payments/payment-credit.rules.js';
export { PaymentStore } from './payments/payment.store.js';
export type { LostOwner, TaggedIntent } from './restoring/restored-payment.js';
export { PaymentsModule } from './payments.module.js';
export {
  OwnsPayments,
  type FollowUp,
  type OwnerChange,
  type OwnerDecision,
  type PaymentLine,
  type PaymentOwner,
  type PaymentSubject,
} from './settling/payment-owner.js';
export { PaymentOwners } from './settling/payment-owners.js';
export {
  SUPPLIED_FIELDS,
  type Supplied,
  type SuppliedOf,
  type SuppliedPayment,
} from './settling/supplied.js';
export { CardLinks } from './methods/card-links.js';
export { CardPages, type CardState, type CardView } from './pay-page/card-pages.service.js';
export { PayByCardBody } from './methods/saved-card.dto.js';
export {
  PayPages,
  type AuthenticationSecret,
  type CardSetupSecret,
  type PayState,
  type PayView,
} from './pay-page/pay-pages.service.js';
export { PaymentRestorer, type Standing } from './restoring/payment-restorer.js';
export { PaymentExplainer, type PaymentExplanation } from './requests/payment-explainer.js';
export { PaymentReader, type PaymentTotals } from './requests/payment-reader.js';
export type { PaymentDraft } from './charging/payment-draft.js';
export { PaymentWriter } from './charging/payment-writer.js';
export {
  ConfirmPaymentBody,
  ListPaymentsQuery,
  ListSubscriptionPaymentsQuery,
  PaymentTotalsQuery,
  RefundPaymentBody,
} from './requests/payments.dto.js';
export { Payments } from './requests/payments.service.js';
export { Reconciler } from './reconciling/reconciler.js';
export { Settlement } from './settling/settlement.js';
export { ProviderWebhooks } from './provider-webhooks/provider-webhooks.service.js';
export {
  NotSent,
  type BookedIntent,
  type CardProvider,
  type ClientLibrary,
  type IntentTruth,
  type RefundTruth,
} from './provider/card-provider.js';
export { CardProviders } from './provider/card-providers.js';
export { fromStripeAmount } from './stripe/stripe-amounts.js';
export { paymentTag } from './provider/payment-tag.js';
