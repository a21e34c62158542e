import {
  itemLine,
  localDay,
  minorText,
  toMajor,
  toMinor,
  vatIncluded,
  type ExplainedAmount,
  type ExplanationLine,
  type ProductName,
} from '@commerce/kernel';
import type { IntervalUnit } from '../calendar/calendar.js';
import {
  recomputePart,
  recomputePeriod,
  type Breakdown,
  type BreakdownPart,
  type FixedPart,
  type PeriodPart,
} from './breakdown.js';
import { vatOfPart } from './part-tax.js';
import { NO_PRODUCT, planPrice } from './pricing.js';
import { ownsAll, unitsOwned } from './proration.js';

/** Recomputes an amount from its breakdown alone, as lines for a person to read. */
export function explainBreakdown({ currency, parts }: Breakdown, nameOf: ProductName): ExplainedAmount {
  return {
    amount_minor: parts.reduce((sum, part) => sum + recomputePart(part, currency), 0),
    lines: parts.flatMap((part) => explainPart(part, currency, nameOf)),
  };
}

/** The products that a breakdown names. */
export function productsIn({ parts }: Breakdown): readonly string[] {
  const items = parts.flatMap((part) => (part.kind === 'period' ? (part.priced_from?.items ?? []) : []));
  return items.flatMap(({ product, sub_products }) => [product, ...sub_products.map((sub) => sub.product)]);
}

function explainPart(part: BreakdownPart, currency: string, nameOf: ProductName): readonly ExplanationLine[] {
  return part.kind === 'period'
    ? explainPeriod(part, currency, nameOf)
    : [explainFixed(part, currency), ...vatIncluded(vatOfPart(part.vat, currency), currency)];
}

/** The charge of the period, followed by the inputs of its price and the VAT in it. */
function explainPeriod(part: PeriodPart, currency: string, nameOf: ProductName): ExplanationLine[] {
  const { timezone, from, to, priced_from } = part;
  const { amount_minor } = recomputePeriod(part, currency);
  const items = priced_from === null ? [] : (planPrice(priced_from).priced?.lines ?? []);
  const made = items.flatMap((line, index) => {
    const input = priced_from?.items[index];
    return input === undefined || input.product === NO_PRODUCT
      ? []
      : [itemLine(input, line, currency, nameOf)];
  });
  const charge: ExplanationLine = {
    label: periodText(new Date(from), new Date(to), timezone),
    amount: toMajor(amount_minor, currency),
    note: `${shareText(part)}${priceText(part, currency)}`,
  };
  const vat = vatIncluded(vatOfPart(part.vat, currency), currency);
  return [charge, ...discountLines(part, currency), ...made, ...vat];
}

/** How the price of the whole period was computed. */
function priceText(part: PeriodPart, currency: string): string {
  const { priced_from } = part;
  const { whole_minor, steps } = recomputePeriod(part, currency);
  const of = (minor: number): string => minorText(minor, currency);
  if (priced_from === null) return `${of(whole_minor)}, as charged before`;
  const { quantity, single_minor } = planPrice(priced_from);
  const [upTo = 0, before = 0] = steps.map(({ rounded }) => toMinor(rounded, currency));
  const price = quantity > 1 ? `${quantity} × ${of(single_minor)}` : of(single_minor);
  const accrued = before === 0 ? of(upTo) : `${of(upTo)} by its end less ${of(before)} before it`;
  return `${price} per ${intervalText(part)}: ${accrued}`;
}

/** The part of the period's price; empty for all of it. */
function shareText(part: PeriodPart): string {
  const { mode, total } = part;
  if (ownsAll(part)) return '';
  const owned = unitsOwned(part);
  return mode === 'second'
    ? `${seconds(owned)} of ${seconds(total)} seconds, of `
    : `${owned} of ${total} days, of `;
}

/** The price of an interval with the discount. */
function discountLines(part: PeriodPart, currency: string): ExplanationLine[] {
  const plan = part.priced_from && planPrice(part.priced_from);
  if (plan?.discounted == null) return [];
  const { price_minor, until, from } = plan.discounted;
  const [lower, full] = [price_minor, plan.price_minor].map((minor) => minorText(minor, currency));
  const length = until === null ? 'each' : `${until - from} in all`;
  const note = `${String(lower)} instead of ${String(full)} per ${intervalText(part)}: ${length}`;
  return [{ label: 'Discount', amount: null, note }];
}

function intervalText({ interval_unit, interval_count }: PeriodPart): string {
  const unit = UNITS[interval_unit];
  return interval_count === 1 ? unit : `${interval_count} ${unit}s`;
}

function explainFixed({ kind, amount }: FixedPart, currency: string): ExplanationLine {
  const amount_minor = toMinor(amount, currency);
  const labels = {
    setup: 'Setup fee',
    outstanding: 'Owed from before',
    booked: 'Charged before',
    uncollected: 'Not collected, so not credited',
    credit: 'Paid from the balance',
  };
  return { label: labels[kind], amount: toMajor(amount_minor, currency), note: null };
}

/** A formatter takes longer to make than to use. */
const CIVIL_DAYS = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' });

/** The dates of a period. Its end is the start of the next one, so the last day shown is the one before. */
export function periodText(start: Date, end: Date, timeZone: string): string {
  const last = new Date(Math.max(start.getTime(), end.getTime() - 1));
  const dayOf = (instant: Date): Date => new Date(localDay(instant, timeZone));
  const range = CIVIL_DAYS.formatRange(dayOf(start), dayOf(last));
  // Not every terminal and font has the thin spaces around the dash.
  return range.replaceAll('\u2009', ' ');
}

function seconds(ms: number): string {
  return String(ms / 1000);
}

const UNITS: Readonly<Record<IntervalUnit, string>> = {
  DAY: 'day',
  WEEK: 'week',
  MONTH: 'month',
  MONTH_END: 'month',
  ANNUAL: 'year',
};
