import { Module } from '@nestjs/common';
import { InvoicesModule } from '@commerce/invoices';

import { ExchangeRatesController } from './exchange-rates.controller.js';
import { InvoiceDocumentsController } from './invoice-documents.controller.js';
import { InvoicesController } from './invoices.controller.js';

@Module({
  imports: [InvoicesModule],
  controllers: [ExchangeRatesController, InvoiceDocumentsController, InvoicesController],
})
export class InvoicesApiModule {}
