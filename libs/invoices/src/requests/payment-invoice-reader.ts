import { Injectable } from '@nestjs/common';
import { InvoiceDueStore, type PaymentRecord } from '@commerce/payments';

import type { InvoiceRecord } from '../invoices/invoice.record.js';
import { InvoiceStore } from '../invoices/invoice.store.js';

/** The documents of one payment. */
export interface PaymentDocuments {
  /** `due` until it is numbered; null where the payment has none. */
  readonly invoice: InvoiceRecord | 'due' | null;
  /** The documents of its refunds, the oldest first: credit notes, and invoices that take them back. */
  readonly corrections: readonly InvoiceRecord[];
}

/** Finds the invoice of one payment, and the documents that correct it. */
@Injectable()
export class PaymentInvoiceReader {
  constructor(
    private readonly due: InvoiceDueStore,
    private readonly store: InvoiceStore,
  ) {}

  async documentsOf({ company, _id }: Pick<PaymentRecord, 'company' | '_id'>): Promise<PaymentDocuments> {
    // In this order: a row that is gone has become a document by now.
    const rows = await this.due.ofPayments(company, [_id]);
    const documents = await this.store.ofPayments(company, [_id]);
    const corrections = documents.filter(({ refund }) => refund !== null);
    corrections.sort((a, b) => a.created.getTime() - b.created.getTime() || a.place - b.place);
    const invoice = documents.find(({ refund }) => refund === null);
    // One that could not be made is tried again each hour only.
    const isDue = rows.some(({ refund, tries }) => refund === null && tries === 0);
    return { invoice: invoice ?? (isDue ? 'due' : null), corrections };
  }
}
