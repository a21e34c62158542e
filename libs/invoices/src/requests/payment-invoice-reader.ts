import { Injectable } from '@nestjs/common';
import { InvoiceDueStore, type PaymentRecord } from '@commerce/payments';

import type { InvoiceRecord } from '../invoices/invoice.record.js';
import { InvoiceStore } from '../invoices/invoice.store.js';

/** Finds the invoice of one payment. */
@Injectable()
export class PaymentInvoiceReader {
  constructor(
    private readonly due: InvoiceDueStore,
    private readonly store: InvoiceStore,
  ) {}

  /** `due` until it is numbered; null where the payment has none. */
  async invoiceOf({
    company,
    _id,
  }: Pick<PaymentRecord, 'company' | '_id'>): Promise<InvoiceRecord | 'due' | null> {
    // In this order: a row that is gone has become a document by now.
    const rows = await this.due.ofPayments(company, [_id]);
    const documents = await this.store.ofPayments(company, [_id]);
    const invoice = documents.find(({ refund }) => refund === null);
    if (invoice !== undefined) return invoice;
    // One that could not be made is tried again each hour only.
    return rows.some(({ refund, tries }) => refund === null && tries === 0) ? 'due' : null;
  }
}
