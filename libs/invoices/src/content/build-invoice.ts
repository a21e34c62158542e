import { localDay, toMajor, type Supply, type TaxBehavior } from '@commerce/kernel';

import type {
  InvoiceBuyer,
  InvoiceContent,
  InvoiceLine,
  InvoicePayment,
  InvoicePaymentMethod,
  InvoiceSeller,
  InvoiceSubject,
  InvoiceTax,
  ServicePeriod,
} from './invoice-content.js';
import { taxSupplies, type TaxedSupply, type TaxGroup } from './taxed-supplies.js';

/** The parties of a document, and its place among those of its kind. */
export interface DocumentInput {
  readonly number: string;
  /** When the payment or refund succeeded. */
  readonly date: Date;
  /** The time zone of the seller, in which its days are counted. */
  readonly timezone: string;
  readonly locale: string;
  readonly seller: InvoiceSeller;
  readonly buyer: InvoiceBuyer;
}

/** A payment, as the invoice of it needs it. Amounts are in minor units. */
export interface InvoicedPayment {
  readonly id: string;
  readonly currency: string;
  readonly card_minor: number;
  readonly credit_minor: number;
  readonly reference: string | null;
  /** Whether the supplies have amounts with tax, or without. */
  readonly prices: TaxBehavior;
  readonly subject: InvoiceSubject | null;
  /** The time zone in which the periods of the supplies begin and end; that of the seller unless given. */
  readonly timezone: string | null;
  readonly supplies: readonly Supply[];
}

/**
 * The content of the invoice of a payment.
 * @throws RangeError where the supplies do not add up to what was paid
 */
export function buildInvoice(input: DocumentInput, payment: InvoicedPayment): InvoiceContent {
  const { date, timezone, ...document } = input;
  const { currency, prices, card_minor, credit_minor } = payment;
  const { supplies, groups } = taxSupplies(payment.supplies, prices, currency);
  const gross_minor = sum(groups.map((group) => group.gross_minor));
  if (gross_minor !== card_minor + credit_minor || supplies.length === 0) {
    const [lines, paid] = [gross_minor, card_minor + credit_minor].map((minor) => toMajor(minor, currency));
    throw new RangeError(`the supplies add up to ${String(lines)} ${currency}, not to ${String(paid)}`);
  }
  const lines = supplies.map((one) => lineOf(one, currency, payment.timezone ?? timezone));
  const issue_date = localDay(date, timezone);
  return {
    kind: 'invoice',
    ...document,
    buyer: withVatId(document.buyer, payment.supplies),
    issue_date,
    currency,
    prices,
    service_period: periodOfLines(lines),
    lines,
    taxes: groups.map((group) => taxOfGroup(group, currency)),
    totals: {
      net: toMajor(sum(groups.map((group) => group.net_minor)), currency),
      tax: toMajor(sum(groups.map((group) => group.tax_minor)), currency),
      gross: toMajor(gross_minor, currency),
    },
    seller_tax: null,
    credit_applied: toMajor(credit_minor, currency),
    paid: toMajor(card_minor, currency),
    payment: paymentOf(payment, issue_date),
    subject: payment.subject,
    preceding: null,
  };
}

/** The buyer with the VAT id on which the tax depends, whatever has become of it since the charge. */
function withVatId(buyer: InvoiceBuyer, supplies: readonly Supply[]): InvoiceBuyer {
  const vat_id = supplies.find(({ tax }) => tax.vat_id !== undefined)?.tax.vat_id;
  return vat_id === undefined ? buyer : { ...buyer, vat_id };
}

function paymentOf(
  { id, card_minor, credit_minor, reference }: InvoicedPayment,
  date: string,
): InvoicePayment {
  return { id, method: methodOf(card_minor, credit_minor), date, reference, refund: null };
}

/** The means of paying by card and by balance. */
export function methodOf(card_minor: number, credit_minor: number): InvoicePaymentMethod {
  if (card_minor > 0) return credit_minor > 0 ? 'card_and_balance' : 'card';
  return credit_minor > 0 ? 'balance' : 'none';
}

function lineOf(taxed: TaxedSupply, currency: string, timezone: string): InvoiceLine {
  const { supply, net_minor, tax_minor, gross_minor, discount_minor } = taxed;
  const { name, reason, share, period, quantity, unit_minor, tax } = supply;
  const major = (minor: number): number => toMajor(minor, currency);
  return {
    description: name,
    reason,
    share,
    service_period: period === null ? null : daysOf(period, timezone),
    quantity,
    unit_price: unit_minor === null ? null : major(unit_minor),
    subtotal: major(net_minor + discount_minor),
    discount: major(discount_minor),
    net: major(net_minor),
    tax: major(tax_minor),
    gross: major(gross_minor),
    tax_category: tax.category,
    tax_rate: tax.rate,
    tax_country: tax.country ?? null,
  };
}

/** The days of a period; its end is the start of the next one. */
function daysOf({ start, end }: NonNullable<Supply['period']>, timezone: string): ServicePeriod {
  const last = new Date(Math.max(start.getTime(), end.getTime() - 1));
  return { start: localDay(start, timezone), end: localDay(last, timezone) };
}

function periodOfLines(lines: readonly InvoiceLine[]): ServicePeriod | null {
  const periods = lines.flatMap(({ service_period }) => (service_period === null ? [] : [service_period]));
  const [first] = periods;
  if (first === undefined) return null;
  return periods.reduce(
    (all, { start, end }) => ({
      start: start < all.start ? start : all.start,
      end: end > all.end ? end : all.end,
    }),
    first,
  );
}

function taxOfGroup({ tax, net_minor, tax_minor, gross_minor }: TaxGroup, currency: string): InvoiceTax {
  const { category, rate, country = null, reason, reason_code } = tax;
  const [net, taxed, gross] = [net_minor, tax_minor, gross_minor].map((minor) => toMajor(minor, currency));
  return { category, rate, country, reason, reason_code, net: net ?? 0, tax: taxed ?? 0, gross: gross ?? 0 };
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((all, one) => all + one, 0);
}
