import { Module } from '@nestjs/common';
import { BillingModule } from '@commerce/billing';
import { PaymentsModule } from '@commerce/payments';

import { PaymentMethodsController } from './payment-methods.controller.js';
import { PaymentsController } from './payments.controller.js';
import { ProviderNoticesController } from './provider-notices.controller.js';
import { SubscriptionPaymentsController } from './subscription-payments.controller.js';

@Module({
  imports: [PaymentsModule, BillingModule],
  controllers: [
    PaymentMethodsController,
    PaymentsController,
    ProviderNoticesController,
    SubscriptionPaymentsController,
  ],
})
export class PaymentsApiModule {}
