import { Module } from '@nestjs/common';
import { recordModels } from '@commerce/platform';

import { CardSetup } from './methods/card-setup.js';
import { PaymentProcessor } from './processing/payment-processor.js';
import { Reconciler } from './processing/reconciler.js';
import { ProviderWebhookProcessor } from './provider-webhooks/provider-webhook-processor.js';
import { ProviderWebhooks } from './provider-webhooks/provider-webhooks.service.js';
import { PayingUsers } from './methods/paying-users.service.js';
import { PaymentClock } from './processing/payment-clock.js';
import { Payments } from './processing/payments.service.js';
import { PaymentMethodUsages } from './methods/payment-method-usages.js';
import { PaymentMethodRecord } from './methods/payment-method.record.js';
import { PaymentMethodStore } from './methods/payment-method.store.js';
import { PaymentMethods } from './methods/payment-methods.service.js';
import { PaymentOwners } from './processing/payment-owners.js';
import { PaymentRecord } from './payments/payment.record.js';
import { PaymentStore } from './payments/payment.store.js';
import { PaymentWriter } from './processing/payment-writer.js';
import { ProviderCustomerRecord } from './provider/provider-customer.record.js';
import { ProviderCustomerStore } from './provider/provider-customer.store.js';
import { ProviderCustomers } from './provider/provider-customers.js';
import { ProviderWebhookStore, providerWebhookModel } from './provider-webhooks/provider-webhook.store.js';
import { CardProvider } from './provider/card-provider.js';
import { StripeCharges } from './provider/stripe-charges.js';
import { StripeClient } from './provider/stripe-client.js';
import { StripeProvider } from './provider/stripe-provider.js';
import { RefundProcessor } from './processing/refund-processor.js';
import { Settlement } from './processing/settlement.js';

const inner = [
  CardSetup,
  PaymentProcessor,
  ProviderWebhookProcessor,
  PayingUsers,
  PaymentClock,
  ProviderCustomerStore,
  ProviderCustomers,
  ProviderWebhookStore,
  RefundProcessor,
  StripeCharges,
  StripeClient,
];

const outer = [
  Reconciler,
  ProviderWebhooks,
  Payments,
  PaymentMethodStore,
  PaymentMethodUsages,
  PaymentMethods,
  PaymentOwners,
  PaymentStore,
  PaymentWriter,
  Settlement,
];

/** Payment methods, payments, their way to the card provider and back. */
@Module({
  imports: [recordModels(PaymentRecord, PaymentMethodRecord, ProviderCustomerRecord), providerWebhookModel()],
  providers: [...inner, ...outer, { provide: CardProvider, useClass: StripeProvider }],
  exports: [...outer, CardProvider],
})
export class PaymentsModule {}
