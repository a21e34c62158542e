import {
  localDay,
  minorStep,
  multiplyRatio,
  ratio,
  splitByWeights,
  toMajor,
  toMinor,
  type TaxCategory,
} from '@commerce/kernel';

import { methodOf, type DocumentInput } from './build-invoice.js';
import type { InvoiceBuyer, InvoiceContent, InvoiceLine, InvoiceTax, LineReason } from './invoice-content.js';
import { keyOfTax, roundedTaxes, type Taxed } from './taxed-supplies.js';

/** A refund that succeeded, or failed later. */
export interface CreditedRefund {
  /** Unique within the payment. */
  readonly key: string;
  readonly amount_minor: number;
  readonly to: 'card' | 'balance';
}

/** The part of one tax of the invoice that a credit note gives back. */
interface Part extends Taxed {
  readonly tax: InvoiceTax;
}

/**
 * The content of the credit note of a refund. The amount is divided among the taxes of the invoice in proportion to
 * what of each is left, so that all credit notes of an invoice together are never more than it, and of one that is given
 * back whole exactly it, to the minor unit and for each tax.
 * @param earlier the documents that have corrected the invoice already
 * @throws RangeError where the refund is larger than what is left
 */
export function buildCreditNote(
  input: DocumentInput,
  refund: CreditedRefund,
  invoice: InvoiceContent,
  earlier: readonly InvoiceContent[],
): InvoiceContent {
  const { amount_minor } = refund;
  const isWhole = earlier.length === 0 && amount_minor === toMinor(invoice.totals.gross, invoice.currency);
  const parts = creditedParts(amount_minor, invoice, earlier);
  if (isWhole)
    return correctionOf(input, refund, invoice, { kind: 'credit_note', parts, lines: invoice.lines });
  return correctionOf(input, refund, invoice, { kind: 'credit_note', ...someOf(parts, invoice, 'refund') });
}

/**
 * The content of the invoice that takes back what credit notes gave too much, since a refund failed. EN 16931 has no
 * credit note below 0, so it is an invoice, which names the invoice that the credit notes have corrected.
 * @param earlier the documents that have corrected the invoice already
 * @throws RangeError where they have credited less
 */
export function buildRefundReversal(
  input: DocumentInput,
  refund: CreditedRefund,
  invoice: InvoiceContent,
  earlier: readonly InvoiceContent[],
): InvoiceContent {
  const parts = reversedParts(refund.amount_minor, invoice, earlier);
  return correctionOf(input, refund, invoice, {
    kind: 'invoice',
    ...someOf(parts, invoice, 'refund_returned'),
  });
}

interface Correction extends Pick<InvoiceContent, 'kind' | 'lines'> {
  readonly parts: readonly Part[];
}

/** The parts with an amount, and a line for each. With all lines of the invoice stand all of its taxes instead. */
function someOf(
  all: readonly Part[],
  invoice: InvoiceContent,
  reason: LineReason,
): Pick<Correction, 'parts' | 'lines'> {
  const parts = all.filter(({ gross_minor }) => gross_minor !== 0);
  return { parts, lines: parts.map((part) => lineOf(part, invoice, reason)) };
}

function correctionOf(
  input: DocumentInput,
  { key, amount_minor, to }: CreditedRefund,
  invoice: InvoiceContent,
  { kind, parts, lines }: Correction,
): InvoiceContent {
  const { date, timezone, ...document } = input;
  const { currency } = invoice;
  const issue_date = localDay(date, timezone);
  const [card_minor, credit_minor] = to === 'card' ? [amount_minor, 0] : [0, amount_minor];
  const major = (minor: number): number => toMajor(minor, currency);
  const total = (of: (part: Part) => number): number => major(parts.reduce((all, one) => all + of(one), 0));
  return {
    ...invoice,
    ...document,
    buyer: creditedBuyer(document.buyer, invoice),
    kind,
    issue_date,
    lines,
    taxes: parts.map(({ tax, ...taxed }) => ({ ...tax, ...majorOf(taxed, currency) })),
    totals: {
      net: total(({ net_minor }) => net_minor),
      tax: total(({ tax_minor }) => tax_minor),
      gross: total(({ gross_minor }) => gross_minor),
    },
    credit_applied: major(credit_minor),
    paid: major(card_minor),
    payment: {
      ...invoice.payment,
      method: methodOf(card_minor, credit_minor),
      date: issue_date,
      refund: key,
    },
    preceding: { number: invoice.number, issue_date: invoice.issue_date },
  };
}

/** The categories of supplies without VAT to a buyer with a VAT id. */
const BY_VAT_ID: ReadonlySet<TaxCategory> = new Set(['AE', 'K']);

/** The buyer with the VAT id of the invoice where its tax depends on it. */
function creditedBuyer(buyer: InvoiceBuyer, { taxes, buyer: { vat_id } }: InvoiceContent): InvoiceBuyer {
  return taxes.some(({ category }) => BY_VAT_ID.has(category)) ? { ...buyer, vat_id } : buyer;
}

function creditedParts(
  amount_minor: number,
  invoice: InvoiceContent,
  earlier: readonly InvoiceContent[],
): Part[] {
  const { currency, taxes } = invoice;
  const before = taxes.map((tax) => creditedMinor(tax, earlier).gross_minor);
  const left = taxes.map((tax, index) => toMinor(tax.gross, currency) - (before[index] ?? 0));
  return partsOf(divided(amount_minor, left, currency), 1, invoice, earlier);
}

function reversedParts(
  amount_minor: number,
  invoice: InvoiceContent,
  earlier: readonly InvoiceContent[],
): Part[] {
  const before = invoice.taxes.map((tax) => creditedMinor(tax, earlier).gross_minor);
  return partsOf(divided(amount_minor, before, invoice.currency), -1, invoice, earlier);
}

/**
 * The parts of the taxes: the tax on all that is then given back, less what the earlier documents have of it. What a tax
 * without a part should have of a rounding that it shares goes to the largest part of its rate.
 * @param sign -1 for what is given back no more
 */
function partsOf(
  gross: readonly number[],
  sign: 1 | -1,
  { taxes, currency }: InvoiceContent,
  earlier: readonly InvoiceContent[],
): Part[] {
  const credited = taxes.map((tax) => creditedMinor(tax, earlier));
  const after = credited.map(({ gross_minor }, index) => gross_minor + sign * (gross[index] ?? 0));
  const due = taxesInside(taxes, after, currency).map(
    (tax_minor, index) => sign * (tax_minor - (credited[index]?.tax_minor ?? 0)),
  );
  for (const [index, tax] of taxes.entries()) {
    if (gross[index] !== 0) continue;
    const others = taxes.flatMap((other, at) => (rateOf(other) === rateOf(tax) ? [at] : []));
    const largest = others.reduce((a, b) => ((gross[b] ?? 0) > (gross[a] ?? 0) ? b : a), index);
    if (largest === index) continue;
    due[largest] = (due[largest] ?? 0) + (due[index] ?? 0);
    due[index] = 0;
  }
  return taxes.map((tax, index) => {
    const [gross_minor, tax_minor] = [gross[index] ?? 0, gross[index] === 0 ? 0 : (due[index] ?? 0)];
    return { tax, gross_minor, tax_minor, net_minor: gross_minor - tax_minor };
  });
}

/** An amount divided among the taxes in proportion to what of each there is. */
function divided(amount_minor: number, of: readonly number[], currency: string): readonly number[] {
  const rest = of.reduce((sum, one) => sum + one, 0);
  if (amount_minor > rest) {
    throw new RangeError(`at most ${String(toMajor(rest, currency))} ${currency} of the invoice is left`);
  }
  if (amount_minor === rest) return of;
  // A tax with a negative sum goes with the last part.
  const weights = of.map((one) => Math.max(0, one));
  return splitByWeights(amount_minor, weights, minorStep(currency));
}

/** The tax in parts of the gross sums; all of it in the whole. */
function taxesInside(taxes: readonly InvoiceTax[], gross: readonly number[], currency: string): number[] {
  const exact = taxes.map((one, index) => {
    const whole = toMinor(one.gross, currency);
    const part = ratio(whole === 0 ? 0 : toMinor(one.tax, currency), whole === 0 ? 1 : whole);
    return multiplyRatio(part, ratio(gross[index] ?? 0));
  });
  return roundedTaxes(exact, taxes.map(rateOf), currency);
}

function rateOf({ category, rate }: InvoiceTax): string {
  return `${category} ${String(rate)}`;
}

/** What the documents have given back of a tax. */
function creditedMinor(
  tax: InvoiceTax,
  earlier: readonly InvoiceContent[],
): Pick<Taxed, 'gross_minor' | 'tax_minor'> {
  const key = keyOfTax(tax);
  const sums = { gross_minor: 0, tax_minor: 0 };
  for (const { kind, taxes, currency } of earlier) {
    const sign = kind === 'credit_note' ? 1 : -1;
    for (const one of taxes.filter((other) => keyOfTax(other) === key)) {
      sums.gross_minor += sign * toMinor(one.gross, currency);
      sums.tax_minor += sign * toMinor(one.tax, currency);
    }
  }
  return sums;
}

function lineOf(
  { tax, ...taxed }: Part,
  { lines, currency, prices, service_period }: InvoiceContent,
  reason: LineReason,
): InvoiceLine {
  const { net, tax: taxPart, gross } = majorOf(taxed, currency);
  const same = lines.filter(
    ({ tax_category, tax_rate, tax_country }) =>
      tax_category === tax.category && tax_rate === tax.rate && tax_country === tax.country,
  );
  return {
    description: namesOf(same),
    reason,
    share: null,
    service_period,
    quantity: 1,
    unit_price: prices === 'inclusive' ? gross : net,
    subtotal: net,
    discount: 0,
    ...{ net, tax: taxPart, gross },
    tax_category: tax.category,
    tax_rate: tax.rate,
    tax_country: tax.country,
  };
}

const LONGEST_NAMES = 200;

function namesOf(lines: readonly InvoiceLine[]): string {
  const names = [...new Set(lines.map(({ description }) => description))].join(', ');
  return names.length <= LONGEST_NAMES ? names : `${names.slice(0, LONGEST_NAMES - 1)}…`;
}

function majorOf(
  { net_minor, tax_minor, gross_minor }: Taxed,
  currency: string,
): Pick<InvoiceTax, 'net' | 'tax' | 'gross'> {
  const major = (minor: number): number => toMajor(minor, currency);
  return { net: major(net_minor), tax: major(tax_minor), gross: major(gross_minor) };
}
