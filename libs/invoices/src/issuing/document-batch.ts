import { toMinor } from '@commerce/kernel';
import type { InvoiceDue, PaymentRecord, SuppliedOf, SuppliedPayment } from '@commerce/payments';
import { makeRecord, newId, type Id } from '@commerce/records';

import { buildCreditNote } from '../content/build-credit-note.js';
import { buildInvoice, type DocumentInput } from '../content/build-invoice.js';
import type { InvoiceContent, InvoiceSeller } from '../content/invoice-content.js';
import { invoiceNumber } from '../content/invoice-number.js';
import { InvoiceRecord } from '../invoices/invoice.record.js';
import { sellerTaxOf, type Conversion } from '../content/seller-tax.js';
import { kindOf, yearOf, type Sequence } from '../invoices/invoice-numbers.js';
import type { ConversionOf } from './exchange-rate-reader.js';
import { buyerOf, localeOf, sellerOf, type BuyingUser, type SellingCompany } from './parties.js';

/** The fields of a payment that its documents depend on. */
export type DocumentedPayment = SuppliedPayment &
  Pick<PaymentRecord, 'company' | 'user' | 'provider' | 'refunds' | 'refunded_amount'>;

/** The records that the documents of a batch are made of. */
export interface BatchSources {
  readonly company: SellingCompany;
  readonly payments: ReadonlyMap<string, DocumentedPayment>;
  readonly users: ReadonlyMap<string, BuyingUser>;
  readonly supplied: SuppliedOf;
  readonly conversionOf: ConversionOf;
  /** The documents that the payments have already. */
  readonly existing: readonly InvoiceRecord[];
  /** The payments whose own invoice is due, in this batch or not. */
  readonly waiting: ReadonlySet<string>;
  /** The next number of a sequence. */
  readonly nextOf: (sequence: Sequence) => number;
}

/** A due row whose document cannot be made now. */
export interface Refused {
  readonly due: InvoiceDue;
  readonly error: string;
}

type Parties = Pick<DocumentInput, 'seller' | 'buyer' | 'locale'>;

/** Makes the documents of due rows, one after the other, and gives them their numbers. Writes nothing. */
export class DocumentBatch {
  readonly documents: InvoiceRecord[] = [];
  /** The rows that are done with the documents: theirs, and those that need none. */
  readonly done: Id[] = [];
  readonly refused: Refused[] = [];
  private readonly byPayment = new Map<string, InvoiceRecord[]>();
  private readonly next = new Map<string, Sequence & { readonly from: number; to: number }>();

  private readonly parties = new Map<string, Parties>();
  private readonly seller: InvoiceSeller;

  constructor(private readonly sources: BatchSources) {
    this.seller = sellerOf(sources.company.seller);
    for (const one of sources.existing) this.keep(one);
  }

  /** The numbers that the documents take. */
  get taken(): readonly (Sequence & { readonly from: number; readonly to: number })[] {
    return [...this.next.values()].filter(({ from, to }) => to > from);
  }

  /** Makes the document of a row; a row whose document fails takes no number. */
  add(due: InvoiceDue): void {
    try {
      const made = this.make(due);
      if (made !== null) {
        this.documents.push(made);
        this.keep(made);
      }
      this.done.push(due._id);
    } catch (error) {
      this.refused.push({ due, error: error instanceof Error ? error.message : String(error) });
    }
  }

  private make(due: InvoiceDue): InvoiceRecord | null {
    const key = due.payment.toHexString();
    const known = this.byPayment.get(key) ?? [];
    if (known.some(({ refund }) => refund === due.refund)) return null;
    const payment = this.sources.payments.get(key);
    if (payment === undefined) throw new RangeError('the payment is gone');
    return due.refund === null
      ? this.invoice(due, payment)
      : this.creditNote(due, due.refund, payment, known);
  }

  private invoice(due: InvoiceDue, payment: DocumentedPayment): InvoiceRecord {
    const { supplied } = this.sources;
    const { currency, amount, credit_applied, provider } = payment;
    const card_minor = toMinor(amount, currency);
    const conversion = this.sources.conversionOf(currency, due.date);
    return this.numbered(due, payment, null, (input) =>
      withSellerTax(
        conversion,
        currency,
        buildInvoice(input, {
          id: payment._id.toHexString(),
          currency,
          card_minor,
          credit_minor: toMinor(credit_applied, currency),
          reference: card_minor > 0 ? provider.intent_id : null,
          ...supplied(payment),
        }),
      ),
    );
  }

  /**
   * The credit note of a refund, for as much as the others lack of all that was given back: the credit note of a refund
   * that failed stands for those that follow. There is none where the payment has no invoice.
   */
  private creditNote(
    due: InvoiceDue,
    key: string,
    payment: DocumentedPayment,
    known: readonly InvoiceRecord[],
  ): InvoiceRecord | null {
    const invoice = known.find(({ refund }) => refund === null);
    if (invoice === undefined) {
      if (this.sources.waiting.has(payment._id.toHexString()))
        throw new RangeError('it waits for the invoice');
      return null;
    }
    const refund = payment.refunds.find((one) => one.key === key && one.status === 'SUCCEEDED');
    if (refund === undefined) return null;
    const notes = known.filter(({ refund: of }) => of !== null);
    const minor = (value: number): number => toMinor(value, payment.currency);
    const credited = notes.reduce((sum, { gross }) => sum + minor(gross), 0);
    const amount_minor = Math.min(minor(refund.amount), minor(payment.refunded_amount) - credited);
    if (amount_minor <= 0) return null;
    const credit = { key, amount_minor, to: refund.to ?? 'card' } as const;
    const earlier = notes.map(({ content }) => content);
    return this.numbered(due, payment, invoice._id, (input) =>
      withSellerTax(
        invoice.content.seller_tax,
        payment.currency,
        buildCreditNote(input, credit, invoice.content, earlier),
      ),
    );
  }

  private numbered(
    { date, refund }: InvoiceDue,
    { _id, user, company, subscription, currency }: DocumentedPayment,
    preceding: Id | null,
    build: (input: DocumentInput) => InvoiceContent,
  ): InvoiceRecord {
    const { seller, timezone } = this.sources.company;
    const kind = kindOf(refund);
    const year = yearOf(date, timezone);
    const sequence = this.sequenceOf({ kind, year });
    const place = sequence.to;
    const number = invoiceNumber(seller.invoice_prefix, kind, year, place);
    const content = build({ number, date, timezone, ...this.partiesOf(user) });
    const { net, tax, gross } = content.totals;
    const made = makeRecord(
      InvoiceRecord,
      {
        ...{ _id: newId(), company, user, kind, number, year, place },
        ...{ payment: _id, subscription, refund, preceding, currency, net, tax, gross, content },
      },
      date,
    );
    made.sys = { version: 1, events: 1 };
    sequence.to += 1;
    return made;
  }

  /** The seller, and a buyer with its language: the documents of a batch have them in common. */
  private partiesOf(user: Id): Parties {
    const key = user.toHexString();
    const known = this.parties.get(key);
    if (known !== undefined) return known;
    const buyer = this.sources.users.get(key);
    if (buyer === undefined) throw new RangeError('the user is gone');
    const locale = localeOf(buyer, this.sources.company.seller);
    const made = { seller: this.seller, buyer: buyerOf(buyer), locale };
    this.parties.set(key, made);
    return made;
  }

  private sequenceOf(sequence: Sequence): Sequence & { readonly from: number; to: number } {
    const key = `${sequence.kind}/${String(sequence.year)}`;
    const from = this.sources.nextOf(sequence);
    const found = this.next.get(key) ?? { ...sequence, from, to: from };
    this.next.set(key, found);
    return found;
  }

  private keep(document: InvoiceRecord): void {
    const key = document.payment.toHexString();
    const known = this.byPayment.get(key);
    if (known) known.push(document);
    else this.byPayment.set(key, [document]);
  }
}

/**
 * A document with its VAT in the seller's currency; a credit note has the rate of its invoice.
 * @throws RangeError where no rate is known by which it can be stated
 */
function withSellerTax(
  conversion: Conversion | null | undefined,
  currency: string,
  content: InvoiceContent,
): InvoiceContent {
  if (content.totals.tax === 0 || conversion === null) return { ...content, seller_tax: null };
  if (conversion === undefined) {
    throw new RangeError(`no exchange rate of ${currency} is known up to ${content.issue_date}: import one`);
  }
  return { ...content, seller_tax: sellerTaxOf(content, conversion) };
}
