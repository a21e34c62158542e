import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { recordModels } from '@commerce/records';

import { BalanceReader } from './balance/balance-reader.js';
import { BalanceWriter } from './balance/balance-writer.js';
import { PaymentBalanceWriter } from './balance/payment-balance-writer.js';
import { CreditRecord } from './balance/credit.record.js';
import { CreditStore } from './balance/credit.store.js';
import { Credits } from './balance/credits.service.js';
import { InvoiceDueWriter } from './invoicing/invoice-due-writer.js';
import { InvoiceDueStore } from './invoicing/invoice-due.store.js';
import { CardLinks } from './methods/card-links.js';
import { CardSetup } from './methods/card-setup.js';
import { PaymentMethodRecord } from './methods/payment-method.record.js';
import { PaymentMethodStore } from './methods/payment-method.store.js';
import { PaymentMethods } from './methods/payment-methods.service.js';
import { TaxBuyerReader } from './methods/tax-buyer-reader.js';
import { CardPages } from './pay-page/card-pages.service.js';
import { PayCustomers } from './pay-page/pay-customers.js';
import { PayPages } from './pay-page/pay-pages.service.js';
import { BillingHoldStore } from './charging/billing-hold.store.js';
import { PayLinks } from './showing/pay-links.js';
import { PaymentRecord } from './payments/payment.record.js';
import { PaymentStore } from './payments/payment.store.js';
import { BillingHoldMonitor } from './reconciling/billing-hold-monitor.js';
import { ChargeGuard } from './charging/charge-guard.js';
import { ChargeProcessor } from './charging/charge-processor.js';
import { PaymentClock } from './settling/payment-clock.js';
import { PaymentExplainer } from './requests/payment-explainer.js';
import { PaymentInquirer } from './charging/payment-inquirer.js';
import { PaymentOwners } from './settling/payment-owners.js';
import { PaymentProcessor } from './charging/payment-processor.js';
import { PaymentReader } from './requests/payment-reader.js';
import { PaymentRestorer } from './restoring/payment-restorer.js';
import { PaymentSweep } from './reconciling/payment-sweep.js';
import { PaymentWriter } from './charging/payment-writer.js';
import { Payments } from './requests/payments.service.js';
import { Reconciler } from './reconciling/reconciler.js';
import { RefundProcessor } from './charging/refund-processor.js';
import { RestoredPaymentWriter } from './restoring/restored-payment-writer.js';
import { SettlementWriter } from './settling/settlement-writer.js';
import { Settlement } from './settling/settlement.js';
import { ProviderWebhookProcessor } from './provider-webhooks/provider-webhook-processor.js';
import { ProviderWebhookStore } from './provider-webhooks/provider-webhook.store.js';
import { ProviderWebhooks } from './provider-webhooks/provider-webhooks.service.js';
import { CardProviders } from './provider/card-providers.js';
import { ProviderCustomerRecord } from './provider/provider-customer.record.js';
import { ProviderCustomerStore } from './provider/provider-customer.store.js';
import { ProviderCustomers } from './provider/provider-customers.js';
import { ProviderPaces } from './pace/provider-paces.js';
import { StripeProviderFactory } from './stripe/stripe-provider-factory.js';
import { StripeProviders } from './stripe/stripe-providers.js';

const inner = [
  BalanceWriter,
  ChargeGuard,
  PaymentBalanceWriter,
  BillingHoldMonitor,
  CardSetup,
  ChargeProcessor,
  PayCustomers,
  PaymentClock,
  PaymentInquirer,
  PaymentProcessor,
  PaymentSweep,
  ProviderCustomerStore,
  ProviderCustomers,
  ProviderPaces,
  ProviderWebhookProcessor,
  ProviderWebhookStore,
  RefundProcessor,
  RestoredPaymentWriter,
  SettlementWriter,
  StripeProviderFactory,
];

const outer = [
  BalanceReader,
  BillingHoldStore,
  CardLinks,
  CardPages,
  CreditStore,
  Credits,
  InvoiceDueStore,
  InvoiceDueWriter,
  PayLinks,
  PayPages,
  PaymentMethodStore,
  PaymentMethods,
  TaxBuyerReader,
  PaymentOwners,
  PaymentExplainer,
  PaymentReader,
  PaymentRestorer,
  PaymentStore,
  PaymentWriter,
  Payments,
  ProviderWebhooks,
  Reconciler,
  Settlement,
];

/** Payment methods, payments, and the exchange with the card provider. */
@Module({
  imports: [
    DiscoveryModule,
    recordModels(CreditRecord, PaymentRecord, PaymentMethodRecord, ProviderCustomerRecord),
  ],
  providers: [...inner, ...outer, { provide: CardProviders, useClass: StripeProviders }],
  exports: [...outer, CardProviders],
})
export class PaymentsModule {}
