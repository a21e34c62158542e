import { Module } from '@nestjs/common';
import { CatalogModule } from '@commerce/catalog';
import { PaymentsModule } from '@commerce/payments';
import { recordModels } from '@commerce/records';

import { ExchangeRateReader } from './issuing/exchange-rate-reader.js';
import { ExchangeRateRecord } from './exchange-rates/exchange-rate.record.js';
import { ExchangeRateStore } from './exchange-rates/exchange-rate.store.js';
import { ExchangeRates } from './exchange-rates/exchange-rates.service.js';
import { InvoiceRecord } from './invoices/invoice.record.js';
import { InvoiceStore } from './invoices/invoice.store.js';
import { BatchSourceReader } from './issuing/batch-source-reader.js';
import { InvoiceIssuer } from './issuing/invoice-issuer.js';
import { InvoiceSweep } from './issuing/invoice-sweep.js';
import { DocumentKeeper } from './rendering/document-keeper.js';
import { DocumentRenderer } from './rendering/document-renderer.js';
import { DocumentStore } from './rendering/document.store.js';
import { InvoiceDocumentReader } from './rendering/invoice-document-reader.js';
import { LogoReader } from './rendering/logo-reader.js';
import { Invoices } from './requests/invoices.service.js';
import { PaymentInvoiceReader } from './requests/payment-invoice-reader.js';
import { UninvoicedReader } from './requests/uninvoiced-reader.js';

/** The invoices of payments and the credit notes of refunds. */
@Module({
  imports: [CatalogModule, PaymentsModule, recordModels(ExchangeRateRecord, InvoiceRecord)],
  providers: [
    BatchSourceReader,
    DocumentKeeper,
    ExchangeRateReader,
    ExchangeRateStore,
    ExchangeRates,
    { provide: DocumentRenderer, useFactory: () => new DocumentRenderer() },
    DocumentStore,
    InvoiceDocumentReader,
    InvoiceIssuer,
    InvoiceStore,
    InvoiceSweep,
    Invoices,
    LogoReader,
    PaymentInvoiceReader,
    UninvoicedReader,
  ],
  exports: [
    ExchangeRates,
    InvoiceDocumentReader,
    InvoiceStore,
    Invoices,
    PaymentInvoiceReader,
    UninvoicedReader,
  ],
})
export class InvoicesModule {}
