import { exponentOf } from '../money/currency.js';
import { toMajor, toMinor } from '../money/money.js';
import type { PriceLine, PricedLine } from './pricing.js';
import type { VatMinor } from './vat.js';

/** One line of an amount, for a person to read. */
export interface ExplanationLine {
  readonly label: string;
  /** In major units; null where the line only explains the amounts of others. */
  readonly amount: number | null;
  readonly note: string | null;
}

/** An amount recomputed from its inputs alone. The amounts of the lines add up to it. */
export interface ExplainedAmount {
  readonly amount_minor: number;
  readonly lines: readonly ExplanationLine[];
}

/** Returns the name of a product by the text of its id. */
export type ProductName = (product: string) => string;

/** An amount in minor units, for people: `19.99 EUR`. */
export function minorText(minor: number, currency: string): string {
  return `${toMajor(minor, currency).toFixed(exponentOf(currency))} ${currency}`;
}

/** A fraction for people: 0.25 is `25 %`. */
export function percentText(fraction: number): string {
  return `${String(Number((fraction * 100).toPrecision(12)))} %`;
}

/** An item and the origin of its price; the caller sets its amount. */
export function itemLine(
  input: PriceLine,
  line: PricedLine,
  currency: string,
  nameOf: ProductName,
): ExplanationLine {
  const of = (minor: number): string => minorText(minor, currency);
  const price = toMinor(input.price, currency);
  const own = `${of(line.final_price_minor)} each`;
  const cheaper =
    price === line.final_price_minor ? own : `${own} (${of(price)} less ${percentText(input.discount)})`;
  const subs = line.sub_products.map((sub) => `with ${nameOf(sub.product)} at ${of(sub.final_price_minor)}`);
  const discount = input.item_discount > 0 ? [`less ${percentText(input.item_discount)}`] : [];
  return {
    label: `${String(line.quantity)} × ${nameOf(line.product)}`,
    amount: null,
    note: [cheaper, ...subs, ...discount].join(', '),
  };
}

/** The VAT that an amount contains, and the reasons why parts of it are without VAT. */
export function vatIncluded(vat: readonly VatMinor[], currency: string): ExplanationLine[] {
  return vat.flatMap((one) => {
    const { rate, vat_minor, gross_minor } = one;
    if (gross_minor === 0) return [];
    if (rate === 0) return untaxedLine(one, currency);
    const note = `${minorText(vat_minor, currency)} of ${minorText(gross_minor, currency)}`;
    return [{ label: `VAT ${rateText(one)}, included`, amount: null, note }];
  });
}

/** Why an amount is without VAT; nothing where the rate was set by hand. */
export function untaxedLine({ rate, gross_minor, tax }: VatMinor, currency: string): ExplanationLine[] {
  if (rate > 0 || tax?.reason == null) return [];
  return [{ label: `No VAT: ${tax.reason}`, amount: null, note: minorText(gross_minor, currency) }];
}

/** A rate, and the country whose rate it is where that was decided. */
export function rateText({ rate, tax }: Pick<VatMinor, 'rate' | 'tax'>): string {
  if (tax === undefined) return percentText(rate);
  const { country, contradicts } = tax;
  const why = contradicts === undefined ? '' : `; the card contradicts the address in ${contradicts}`;
  return `${percentText(rate)} (${country}${why})`;
}
