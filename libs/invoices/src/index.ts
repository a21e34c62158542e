export { InvoicesModule } from './invoices.module.js';
export { InvoiceRecord } from './invoices/invoice.record.js';
export type { LostNumbers } from './invoices/invoice-numbers.js';
export { ecbRates } from './exchange-rates/ecb-rates.js';
export { ExchangeRateRecord } from './exchange-rates/exchange-rate.record.js';
export {
  ListExchangeRatesQuery,
  PutExchangeRatesBody,
  PutExchangeRatesReply,
} from './exchange-rates/exchange-rates.dto.js';
export { ExchangeRates } from './exchange-rates/exchange-rates.service.js';
export { InvoiceStore } from './invoices/invoice.store.js';
export { INVOICE_KINDS, type InvoiceKind } from './content/invoice-content.js';
export { SAMPLE_INVOICE } from './content/sample-invoice.js';
export { UninvoicedReader, type Uninvoiced } from './requests/uninvoiced-reader.js';
export { ListInvoicesQuery } from './requests/invoices.dto.js';
export { PaymentInvoiceReader, type PaymentDocuments } from './requests/payment-invoice-reader.js';
export { Invoices } from './requests/invoices.service.js';
export { INVOICE_CSS } from './documents/html/invoice-html.js';
export {
  InvoiceDocumentReader,
  documentName,
  type InvoiceFile,
} from './rendering/invoice-document-reader.js';
export { InvoiceXmlQuery } from './rendering/invoice-xml.dto.js';
export { DocumentRenderer } from './rendering/document-renderer.js';
