import { exponentOf } from './currency.js';
import { toMajor, toMinor } from './money.js';
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

/** The VAT that an amount contains. */
export function vatIncluded(vat: readonly VatMinor[], currency: string): ExplanationLine[] {
  return vat
    .filter(({ rate, gross_minor }) => rate > 0 && gross_minor !== 0)
    .map(({ rate, vat_minor, gross_minor }) => ({
      label: `VAT ${percentText(rate)}, included`,
      amount: null,
      note: `${minorText(vat_minor, currency)} of ${minorText(gross_minor, currency)}`,
    }));
}
