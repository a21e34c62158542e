import { Injectable } from '@nestjs/common';
import { fault } from '@commerce/kernel';
import {
  InvoiceDocumentReader,
  PaymentInvoiceReader,
  type InvoiceFile,
  type InvoiceRecord,
} from '@commerce/invoices';
import { PayPages } from '@commerce/payments';

/** Whether the payment of a link has an invoice: yes, in a moment, or no. */
export type ReceiptState = 'ready' | 'due' | 'none';

/** The invoice of the payment that a link leads to. The link is the credential, as for the page itself. */
@Injectable()
export class ReceiptReader {
  constructor(
    private readonly pages: PayPages,
    private readonly invoices: PaymentInvoiceReader,
    private readonly documents: InvoiceDocumentReader,
  ) {}

  async state(token: string): Promise<ReceiptState> {
    const invoice = await this.invoiceOf(token);
    if (invoice === null) return 'none';
    return invoice === 'due' ? 'due' : 'ready';
  }

  /** @throws Fault `path.not_found` where there is none, or not yet */
  async pdf(token: string): Promise<InvoiceFile> {
    const invoice = await this.invoiceOf(token);
    if (invoice === null || invoice === 'due') throw fault('path.not_found', 'There is no invoice here');
    return this.documents.pdf(invoice);
  }

  private async invoiceOf(token: string): Promise<InvoiceRecord | 'due' | null> {
    const payment = await this.pages.collected(token);
    return payment === null ? null : this.invoices.invoiceOf(payment);
  }
}
