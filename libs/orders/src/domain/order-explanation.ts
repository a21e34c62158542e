import {
  couponFallsOn,
  itemLine,
  minorText,
  percentText,
  priceLines,
  rateText,
  toMajor,
  toMinor,
  untaxedLine,
  vatIncluded,
  type CouponOff,
  type ExplainedAmount,
  type ExplanationLine,
  type PriceLine,
  type PricedLines,
  type ProductName,
  type VatMinor,
} from '@commerce/kernel';
import type { LinesPart } from './order-breakdown.js';

/** Prices the lines of an order again, as lines for a person to read. */
export function explainLines({ input }: LinesPart, nameOf: ProductName): ExplainedAmount {
  const { currency, tax_behavior, coupon = null } = input;
  const priced = priceLines(input);
  const lines = priced.lines.map((line, index) => ({
    ...itemLine(input.lines[index] as PriceLine, line, currency, nameOf),
    amount: toMajor(line.amount_minor, currency),
  }));
  const off = coupon === null ? [] : [couponLine(coupon, priced, nameOf)];
  const { vat } = priced;
  const taxes =
    tax_behavior === 'exclusive'
      ? vat.flatMap((one) => (one.rate > 0 ? [vatAdded(one, currency)] : untaxedLine(one, currency)))
      : vatIncluded(vat, currency);
  return { amount_minor: priced.total_minor, lines: [...lines, ...off, ...taxes] };
}

function vatAdded(vat: VatMinor, currency: string): ExplanationLine {
  const { vat_minor, net_minor } = vat;
  return {
    label: `VAT ${rateText(vat)}`,
    amount: toMajor(vat_minor, currency),
    note: `on ${minorText(net_minor, currency)}`,
  };
}

function couponLine(
  coupon: CouponOff,
  { lines, coupon_minor, currency }: PricedLines,
  nameOf: ProductName,
): ExplanationLine {
  const lowered = lines.filter(({ product }) => couponFallsOn(coupon, product));
  const base = minorText(
    lowered.reduce((sum, { amount_minor }) => sum + amount_minor, 0),
    currency,
  );
  const off =
    'percent_off' in coupon
      ? `${percentText(coupon.percent_off)} of ${base}`
      : `${minorText(toMinor(coupon.amount_off, currency), currency)} off, at most ${base}`;
  const names = [...new Set(lowered.map(({ product }) => nameOf(product)))].join(', ');
  const note = coupon.products == null ? off : `${off}, on ${names}`;
  return { label: 'Coupon', amount: toMajor(-coupon_minor, currency), note };
}
