import { Module } from '@nestjs/common';
import { PaymentsModule } from '@commerce/payments';
import { recordModels } from '@commerce/records';

import { InvoiceRecord } from './invoices/invoice.record.js';
import { InvoiceStore } from './invoices/invoice.store.js';
import { BatchSourceReader } from './issuing/batch-source-reader.js';
import { InvoiceIssuer } from './issuing/invoice-issuer.js';
import { InvoiceSweep } from './issuing/invoice-sweep.js';
import { Invoices } from './requests/invoices.service.js';
import { UninvoicedReader } from './requests/uninvoiced-reader.js';

/** The invoices of payments and the credit notes of refunds. */
@Module({
  imports: [PaymentsModule, recordModels(InvoiceRecord)],
  providers: [BatchSourceReader, InvoiceIssuer, InvoiceStore, InvoiceSweep, Invoices, UninvoicedReader],
  exports: [InvoiceStore, Invoices, UninvoicedReader],
})
export class InvoicesModule {}
