import { Module } from '@nestjs/common';
import { InvoicesModule } from '@commerce/invoices';
import { PaymentsModule } from '@commerce/payments';

import { CardsController } from './cards.controller.js';
import { PayController } from './pay.controller.js';
import { ReceiptReader } from './receipt-reader.js';

@Module({
  imports: [InvoicesModule, PaymentsModule],
  controllers: [CardsController, PayController],
  providers: [ReceiptReader],
})
export class PayApiModule {}
