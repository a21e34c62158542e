import { ratioOfDecimal, type TaxCategory } from '@commerce/kernel';

import type {
  InvoiceContent,
  InvoiceTax,
  InvoiceTotals,
  ServicePeriod,
} from '../../content/invoice-content.js';
import { languageOf } from '../texts/languages.js';
import { DocumentFormat } from '../view/document-format.js';
import { reasonNote } from '../view/reason-notes.js';
import { amountsIn, decimalText, percentOf } from './decimal-text.js';
import { electronicBuyer, electronicSeller, type ElectronicParty } from './electronic-party.js';
import { categoryAmong, taxesAmong } from './electronic-taxes.js';
import { isForPeppol, paymentMeans } from './peppol.js';
import { unitPriceOf } from './unit-price.js';

/** An invoice by the terms of EN 16931, as both syntaxes say it. Amounts, quantities and rates are texts. */
export interface ElectronicInvoice {
  readonly content: InvoiceContent;
  readonly seller: ElectronicParty;
  readonly buyer: ElectronicParty;
  /** Whether Peppol can carry it. */
  readonly isPeppol: boolean;
  /** The reference under which the buyer knows the document. */
  readonly reference: string;
  readonly contract: string | null;
  readonly order: string | null;
  /** Of the delivery, where no period of service says it. */
  readonly delivered: string | null;
  /** Where goods go to, in a supply within the EU. */
  readonly deliveredTo: string | null;
  /** The code of the means of payment. */
  readonly means: string | null;
  readonly taxes: readonly ElectronicTax[];
  readonly totals: Readonly<Record<keyof InvoiceTotals, string>>;
  /** The VAT in the seller's currency; null where that of the document is it. */
  readonly sellerTax: { readonly currency: string; readonly tax: string } | null;
  readonly zero: string;
  readonly lines: readonly ElectronicLine[];
}

export interface ElectronicTaxRate {
  readonly category: TaxCategory;
  /** Percent; null outside the scope of VAT. */
  readonly percent: string | null;
}

export interface ElectronicTax extends ElectronicTaxRate {
  readonly reason: string | null;
  readonly code: string | null;
  readonly net: string;
  readonly tax: string;
}

export interface ElectronicLine extends ElectronicTaxRate {
  readonly id: string;
  readonly name: string;
  /** Empty for the plain price. */
  readonly note: string;
  readonly period: ServicePeriod | null;
  readonly quantity: string;
  readonly price: string;
  /** The quantity that the price is of; null for one. */
  readonly base: string | null;
  readonly discount: { readonly amount: string; readonly reason: string } | null;
  readonly net: string;
}

/** At least so many, as readers expect of a price. */
const PRICE_DECIMALS = 2;

/** The terms of a document. */
export function electronicInvoice(content: InvoiceContent): ElectronicInvoice {
  const { currency, subject, totals, payment, preceding, locale } = content;
  const amount = amountsIn(currency);
  const isUntaxed = content.taxes.every(({ category }) => category === 'O');
  const taxes = taxesAmong(content, isUntaxed, languageOf(locale).texts);
  const seller = electronicSeller(content.seller, isUntaxed);
  const buyer = electronicBuyer(content.buyer, isUntaxed);
  return {
    content,
    seller,
    buyer,
    isPeppol: isForPeppol(seller, buyer, isUntaxed),
    reference: subject?.human_id ?? content.buyer.human_id,
    contract: subject?.kind === 'subscription' ? subject.human_id : null,
    order: subject?.kind === 'order' ? subject.human_id : null,
    delivered: content.service_period === null ? (preceding?.issue_date ?? content.issue_date) : null,
    deliveredTo: taxes.some(({ category }) => category === 'K') ? (buyer.address?.country ?? null) : null,
    means: paymentMeans(payment.method, seller, buyer),
    taxes: taxes.map((tax) => electronicTax(tax, amount)),
    totals: { net: amount(totals.net), tax: amount(totals.tax), gross: amount(totals.gross) },
    sellerTax: sellerTaxOf(content),
    zero: amount(0),
    lines: electronicLines(content, isUntaxed),
  };
}

function sellerTaxOf({ seller_tax: own }: InvoiceContent): ElectronicInvoice['sellerTax'] {
  return own === null ? null : { currency: own.currency, tax: amountsIn(own.currency)(own.tax) };
}

function electronicTax(
  { category, rate, reason, reason_code, net, tax }: InvoiceTax,
  amount: (of: number) => string,
): ElectronicTax {
  return { ...taxRateOf(category, rate), reason, code: reason_code, net: amount(net), tax: amount(tax) };
}

function taxRateOf(category: TaxCategory, rate: number): ElectronicTaxRate {
  return { category, percent: category === 'O' ? null : percentOf(rate) };
}

function electronicLines(
  { lines, currency, prices, locale }: InvoiceContent,
  isUntaxed: boolean,
): ElectronicLine[] {
  const { texts } = languageOf(locale);
  const format = new DocumentFormat(locale, currency);
  const amount = amountsIn(currency);
  return lines.map((line, index) => {
    const { price, base } = unitPriceOf(line, prices);
    const { n, d } = ratioOfDecimal(line.quantity);
    return {
      ...taxRateOf(categoryAmong(line.tax_category, isUntaxed), line.tax_rate),
      id: String(index + 1),
      name: line.description.trim() === '' ? '-' : line.description,
      note: reasonNote(line, texts, format),
      period: line.service_period,
      quantity: decimalText({ n: line.subtotal < 0 ? -n : n, d }),
      price: decimalText(price, PRICE_DECIMALS),
      base: base.n === base.d ? null : decimalText(base),
      discount: line.discount === 0 ? null : { amount: amount(line.discount), reason: texts.discount },
      net: amount(line.net),
    };
  });
}
