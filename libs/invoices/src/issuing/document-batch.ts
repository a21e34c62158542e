import { toMinor } from '@commerce/kernel';
import type { InvoiceDue, PaymentRecord, SuppliedOf, SuppliedPayment } from '@commerce/payments';
import { makeRecord, newId, type Id } from '@commerce/records';

import { buildCreditNote, buildRefundReversal } from '../content/build-credit-note.js';
import { buildInvoice, type DocumentInput } from '../content/build-invoice.js';
import type { InvoiceContent, InvoiceKind, InvoiceSeller } from '../content/invoice-content.js';
import { invoiceNumber } from '../content/invoice-number.js';
import { InvoiceRecord } from '../invoices/invoice.record.js';
import { sellerTaxOf, type Conversion } from '../content/seller-tax.js';
import { yearOf, type Sequence } from '../invoices/invoice-numbers.js';
import { creditedMinor, uncreditedMinor, type GivenBack } from './credited-amounts.js';
import type { ConversionOf } from './exchange-rate-reader.js';
import { buyerOf, localeOf, sellerOf, type BuyingUser, type SellingCompany } from './parties.js';

/** The fields of a payment that its documents depend on. */
export type DocumentedPayment = SuppliedPayment &
  GivenBack &
  Pick<PaymentRecord, 'company' | 'user' | 'provider'>;

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
    const payment = this.sources.payments.get(key);
    if (payment === undefined) throw new RangeError('the payment is gone');
    if (due.refund !== null) return this.ofRefund(due, due.refund, payment, known);
    return known.some(({ refund }) => refund === null) ? null : this.invoice(due, payment);
  }

  private invoice(due: InvoiceDue, payment: DocumentedPayment): InvoiceRecord {
    const { supplied } = this.sources;
    const { currency, amount, credit_applied, provider } = payment;
    const card_minor = toMinor(amount, currency);
    const conversion = this.sources.conversionOf(currency, due.date);
    return this.numbered(due, payment, { kind: 'invoice', preceding: null }, (input) =>
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
   * The document of a refund: a credit note for as much as the others lack of all that was given back; where it failed,
   * an invoice for what they have too much. There is none where the payment has no invoice.
   */
  private ofRefund(
    due: InvoiceDue,
    key: string,
    payment: DocumentedPayment,
    known: readonly InvoiceRecord[],
  ): InvoiceRecord | null {
    const refund = payment.refunds.find((one) => one.key === key);
    const kind = refund?.status === 'FAILED' ? 'invoice' : 'credit_note';
    if (refund === undefined || known.some((one) => one.refund === key && one.kind === kind)) return null;
    const lacking = uncreditedMinor(payment, creditedMinor(known, payment.currency));
    const amount_minor =
      kind === 'invoice' ? 0 - lacking : Math.min(toMinor(refund.amount, payment.currency), lacking);
    if (amount_minor <= 0 || refund.status === 'PENDING') return null;
    const invoice = known.find((one) => one.refund === null);
    if (invoice === undefined) {
      if (this.sources.waiting.has(payment._id.toHexString()))
        throw new RangeError('it waits for the invoice');
      return null;
    }
    const earlier = known.filter((one) => one !== invoice).map(({ content }) => content);
    const build = kind === 'invoice' ? buildRefundReversal : buildCreditNote;
    const credit = { key, amount_minor, to: refund.to ?? 'card' } as const;
    return this.numbered(due, payment, { kind, preceding: invoice._id }, (input) =>
      withSellerTax(
        invoice.content.seller_tax,
        payment.currency,
        build(input, credit, invoice.content, earlier),
      ),
    );
  }

  private numbered(
    { date, refund }: InvoiceDue,
    { _id, user, company, subscription, currency }: DocumentedPayment,
    { kind, preceding }: { readonly kind: InvoiceKind; readonly preceding: Id | null },
    build: (input: DocumentInput) => InvoiceContent,
  ): InvoiceRecord {
    const { seller, timezone } = this.sources.company;
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
