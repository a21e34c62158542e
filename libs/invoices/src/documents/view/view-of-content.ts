import { toMajor, toMinor } from '@commerce/kernel';

import type { InvoiceContent, InvoiceTax } from '../../content/invoice-content.js';
import type { DocumentTexts } from '../texts/document-texts.js';
import { languageOf } from '../texts/languages.js';
import { DocumentFormat } from './document-format.js';
import type { DocumentView, Fact, TaxView, TotalView } from './document-view.js';
import { lineView } from './line-view.js';
import { buyerView, sellerView } from './party-view.js';
import { rateView } from './rate-view.js';
import { taxNote } from './reason-notes.js';

/** All that a document shows, in its language. */
export function viewOfContent(content: InvoiceContent): DocumentView {
  const { language, texts } = languageOf(content.locale);
  const format = new DocumentFormat(
    content.locale.startsWith(language) ? content.locale : language,
    content.currency,
  );
  const { kind, number, issue_date, seller, buyer, prices } = content;
  return {
    language,
    title: texts.title[kind],
    number,
    date: issue_date,
    seller: sellerView(seller, texts, format),
    buyer_label: texts.buyer,
    buyer: buyerView(buyer, texts, format),
    facts: factsOf(content, texts, format),
    columns: {
      description: texts.description,
      quantity: texts.quantity,
      unit_price: texts.unit_price,
      tax_rate: texts.tax,
      amount: format.inCurrency(texts.amount),
      prices: texts.prices[prices],
    },
    lines: content.lines.map((line) => lineView(line, content, texts, format)),
    tax_columns: {
      rate: texts.tax_rate,
      net: format.inCurrency(texts.net),
      tax: format.inCurrency(texts.tax),
      gross: format.inCurrency(texts.gross),
    },
    taxes: content.taxes.map((tax) => taxView(tax, content, format)),
    tax_notes: taxNotes(content.taxes, texts, format),
    totals: totalsOf(content, texts, format),
    footer: seller.footer,
    page: texts.page,
  };
}

function factsOf(content: InvoiceContent, texts: DocumentTexts, format: DocumentFormat): Fact[] {
  const { issue_date, subject, preceding, buyer, payment } = content;
  const facts: (Fact | null)[] = [
    { label: texts.date, value: format.day(issue_date) },
    preceding === null
      ? null
      : { label: texts.preceding, value: `${preceding.number}, ${format.day(preceding.issue_date)}` },
    suppliedAt(content, texts, format),
    { label: texts.customer, value: buyer.human_id },
    subject === null ? null : { label: texts[subject.kind], value: subject.human_id },
    payment.reference === null ? null : { label: texts.payment_reference, value: payment.reference },
  ];
  return facts.filter((fact) => fact !== null);
}

/** An invoice without a period is for what was supplied on its day. */
function suppliedAt(
  { issue_date, service_period, preceding }: InvoiceContent,
  texts: DocumentTexts,
  format: DocumentFormat,
): Fact | null {
  if (service_period !== null) return { label: texts.service_period, value: format.period(service_period) };
  return preceding === null ? { label: texts.supply_date, value: format.day(issue_date) } : null;
}

function taxView(tax: InvoiceTax, content: InvoiceContent, format: DocumentFormat): TaxView {
  return {
    rate: rateView(tax, content, format),
    net: format.amount(tax.net),
    tax: format.amount(tax.tax),
    gross: format.amount(tax.gross),
  };
}

/** The reasons of rates without VAT. A note names its rate where the document has several. */
function taxNotes(taxes: readonly InvoiceTax[], texts: DocumentTexts, format: DocumentFormat): string[] {
  return taxes.flatMap((tax) => {
    const note = taxNote(tax, texts);
    if (note === null) return [];
    return [taxes.length === 1 ? note : `${format.percent(tax.rate)}: ${note}`];
  });
}

function totalsOf(content: InvoiceContent, texts: DocumentTexts, format: DocumentFormat): TotalView[] {
  const { kind, totals, taxes } = content;
  return [
    { label: texts.net, value: format.money(totals.net), weight: 'plain' },
    ...taxes.map((tax): TotalView => ({
      label: `${texts.tax} ${rateView(tax, content, format)}`,
      value: format.money(tax.tax),
      weight: 'plain',
    })),
    ...sellerTaxTotals(content, texts),
    { label: texts.total[kind], value: format.money(totals.gross), weight: 'sum' },
    ...(kind === 'invoice' ? paidTotals(content, texts, format) : refundedTotals(content, texts, format)),
  ];
}

/** The VAT in the seller's currency, with the rate: `VAT in EUR (EUR 1 = USD 1.085, 2026-11-25)`. */
function sellerTaxTotals(
  { seller_tax: own, currency, locale }: InvoiceContent,
  texts: DocumentTexts,
): TotalView[] {
  if (own === null) return [];
  const rate = `${own.currency} 1 = ${currency} ${String(own.rate)}`;
  const value = new DocumentFormat(locale, own.currency).money(own.tax);
  return [{ label: `${texts.tax} (${rate}, ${own.day})`, value, weight: 'plain' }];
}

function paidTotals(
  { currency, totals, paid, credit_applied, payment }: InvoiceContent,
  texts: DocumentTexts,
  format: DocumentFormat,
): TotalView[] {
  const minor = (amount: number): number => toMinor(amount, currency);
  const due = toMajor(minor(totals.gross) - minor(paid) - minor(credit_applied), currency);
  const rows: TotalView[] = [];
  if (credit_applied !== 0)
    rows.push({ label: texts.paid_from_balance, value: format.money(-credit_applied), weight: 'plain' });
  if (paid !== 0)
    rows.push({
      label: texts.paid_by_card(format.day(payment.date)),
      value: format.money(-paid),
      weight: 'plain',
    });
  return [...rows, { label: texts.due, value: format.money(due), weight: 'due' }];
}

function refundedTotals(
  { paid, credit_applied, payment }: InvoiceContent,
  texts: DocumentTexts,
  format: DocumentFormat,
): TotalView[] {
  const rows: TotalView[] = [];
  if (paid !== 0)
    rows.push({
      label: texts.refunded_to_card(format.day(payment.date)),
      value: format.money(paid),
      weight: 'plain',
    });
  if (credit_applied !== 0)
    rows.push({ label: texts.credited_to_balance, value: format.money(credit_applied), weight: 'plain' });
  return rows;
}
