import { Module } from '@nestjs/common';
import { PaymentsModule } from '@commerce/payments';

import { PaymentMethodsController } from './payment-methods.controller.js';
import { PaymentsController } from './payments.controller.js';
import { ProviderNoticesController } from './provider-notices.controller.js';

@Module({
  imports: [PaymentsModule],
  controllers: [PaymentMethodsController, PaymentsController, ProviderNoticesController],
})
export class PaymentsApiModule {}
