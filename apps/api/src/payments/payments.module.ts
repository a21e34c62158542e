import { Module } from '@nestjs/common';
import { BillingModule } from '@commerce/billing';
import { PaymentsModule } from '@commerce/payments';

import { CreditsController } from './credits.controller.js';
import { PaymentMethodsController } from './payment-methods.controller.js';
import { PaymentsController } from './payments.controller.js';
import { ProviderWebhooksController } from './provider-webhooks.controller.js';
import { SubscriptionPaymentsController } from './subscription-payments.controller.js';

@Module({
  imports: [PaymentsModule, BillingModule],
  controllers: [
    CreditsController,
    PaymentMethodsController,
    PaymentsController,
    ProviderWebhooksController,
    SubscriptionPaymentsController,
  ],
})
export class PaymentsApiModule {}
