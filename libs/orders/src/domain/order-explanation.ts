import {
  itemLine,
  minorText,
  percentText,
  priceLines,
  toMajor,
  toMinor,
  vatIncluded,
  type CouponOff,
  type ExplainedAmount,
  type ExplanationLine,
  type PriceLine,
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
  const off =
    coupon === null ? [] : [couponLine(coupon, priced.coupon_minor, priced.subtotal_minor, currency)];
  const vat = priced.vat.filter(({ rate }) => rate > 0);
  const taxes =
    tax_behavior === 'exclusive' ? vat.map((one) => vatAdded(one, currency)) : vatIncluded(vat, currency);
  return { amount_minor: priced.total_minor, lines: [...lines, ...off, ...taxes] };
}

function vatAdded({ rate, vat_minor, net_minor }: VatMinor, currency: string): ExplanationLine {
  return {
    label: `VAT ${percentText(rate)}`,
    amount: toMajor(vat_minor, currency),
    note: `on ${minorText(net_minor, currency)}`,
  };
}

function couponLine(coupon: CouponOff, off: number, subtotal: number, currency: string): ExplanationLine {
  const note =
    'percent_off' in coupon
      ? `${percentText(coupon.percent_off)} of ${minorText(subtotal, currency)}`
      : `${minorText(toMinor(coupon.amount_off, currency), currency)} off, at most ${minorText(subtotal, currency)}`;
  return { label: 'Coupon', amount: toMajor(-off, currency), note };
}
