import { Module } from '@nestjs/common';
import { PaymentsModule } from '@commerce/payments';

import { PaymentChecksProcessor } from './payment-checks.processor.js';
import { PaymentChecksSweep } from './payment-checks.sweep.js';
import { ProviderNoticesSweep } from './provider-notices.sweep.js';

@Module({
  imports: [PaymentsModule],
  providers: [PaymentChecksProcessor, PaymentChecksSweep, ProviderNoticesSweep],
})
export class PaymentsWorkerModule {}
