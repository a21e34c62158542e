import { Injectable } from '@nestjs/common';
import { fault } from '@commerce/kernel';
import {
  InvoiceDocumentReader,
  PaymentInvoiceReader,
  type InvoiceFile,
  type InvoiceRecord,
  type PaymentDocuments,
} from '@commerce/invoices';
import { PayPages } from '@commerce/payments';

/** Whether the payment of a link has an invoice: yes, in a moment, or no. */
export type ReceiptState = 'ready' | 'due' | 'none';

/** The invoice of a payment, and the documents of its refunds, the newest first. */
export interface Receipt {
  readonly state: ReceiptState;
  readonly corrections: readonly InvoiceRecord[];
}

/** A page lists so many documents of refunds. */
const MOST_LISTED = 50;

/** The documents of the payment that a link leads to. The link is the credential, as for the page itself. */
@Injectable()
export class ReceiptReader {
  constructor(
    private readonly pages: PayPages,
    private readonly invoices: PaymentInvoiceReader,
    private readonly documents: InvoiceDocumentReader,
  ) {}

  async read(token: string): Promise<Receipt> {
    const { invoice, corrections } = await this.documentsOf(token);
    const state = invoice === null ? 'none' : invoice === 'due' ? 'due' : 'ready';
    return { state, corrections: corrections.toReversed().slice(0, MOST_LISTED) };
  }

  /** @throws Fault `path.not_found` where there is none, or not yet */
  async pdf(token: string): Promise<InvoiceFile> {
    const { invoice } = await this.documentsOf(token);
    if (invoice === null || invoice === 'due') throw fault('path.not_found', 'There is no invoice here');
    return this.documents.pdf(invoice);
  }

  /** @throws Fault `path.not_found` where no refund of the payment has such a document */
  async creditNotePdf(token: string, id: string): Promise<InvoiceFile> {
    const { corrections } = await this.documentsOf(token);
    const found = corrections.find(({ _id }) => _id.toHexString() === id);
    if (found === undefined) throw fault('path.not_found', 'There is no such credit note here');
    return this.documents.pdf(found);
  }

  private async documentsOf(token: string): Promise<PaymentDocuments> {
    const payment = await this.pages.collected(token);
    return payment === null ? NO_DOCUMENTS : this.invoices.documentsOf(payment);
  }
}

const NO_DOCUMENTS: PaymentDocuments = { invoice: null, corrections: [] };
