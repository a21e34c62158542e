import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { recordModels } from '@commerce/records';

import { CardSetup } from './methods/card-setup.js';
import { PaymentMethodRecord } from './methods/payment-method.record.js';
import { PaymentMethodStore } from './methods/payment-method.store.js';
import { PaymentMethods } from './methods/payment-methods.service.js';
import { PayCustomers } from './pay-page/pay-customers.js';
import { PayPages } from './pay-page/pay-pages.service.js';
import { BillingHoldStore } from './payments/billing-hold.store.js';
import { PayLinks } from './payments/pay-links.js';
import { PaymentRecord } from './payments/payment.record.js';
import { PaymentStore } from './payments/payment.store.js';
import { BillingHoldMonitor } from './processing/billing-hold-monitor.js';
import { ChargeProcessor } from './processing/charge-processor.js';
import { PaymentClock } from './processing/payment-clock.js';
import { PaymentExplainer } from './processing/payment-explainer.js';
import { PaymentInquirer } from './processing/payment-inquirer.js';
import { PaymentOwners } from './processing/payment-owners.js';
import { PaymentProcessor } from './processing/payment-processor.js';
import { PaymentReader } from './processing/payment-reader.js';
import { PaymentRestorer } from './processing/payment-restorer.js';
import { PaymentSweep } from './processing/payment-sweep.js';
import { PaymentWriter } from './processing/payment-writer.js';
import { Payments } from './processing/payments.service.js';
import { Reconciler } from './processing/reconciler.js';
import { RefundProcessor } from './processing/refund-processor.js';
import { RestoredPaymentWriter } from './processing/restored-payment-writer.js';
import { SettlementWriter } from './processing/settlement-writer.js';
import { Settlement } from './processing/settlement.js';
import { ProviderWebhookProcessor } from './provider-webhooks/provider-webhook-processor.js';
import { ProviderWebhookStore, providerWebhookModel } from './provider-webhooks/provider-webhook.store.js';
import { ProviderWebhooks } from './provider-webhooks/provider-webhooks.service.js';
import { CardProviders } from './provider/card-providers.js';
import { ProviderCustomerRecord } from './provider/provider-customer.record.js';
import { ProviderCustomerStore } from './provider/provider-customer.store.js';
import { ProviderCustomers } from './provider/provider-customers.js';
import { ProviderPaces } from './provider/provider-paces.js';
import { StripeProviderFactory } from './provider/stripe-provider-factory.js';
import { StripeProviders } from './provider/stripe-providers.js';

const inner = [
  BillingHoldMonitor,
  CardSetup,
  ChargeProcessor,
  PayCustomers,
  PaymentClock,
  PaymentInquirer,
  PaymentOwners,
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
  BillingHoldStore,
  PayLinks,
  PayPages,
  PaymentMethodStore,
  PaymentMethods,
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
    recordModels(PaymentRecord, PaymentMethodRecord, ProviderCustomerRecord),
    providerWebhookModel(),
  ],
  providers: [...inner, ...outer, { provide: CardProviders, useClass: StripeProviders }],
  exports: [...outer, CardProviders],
})
export class PaymentsModule {}
