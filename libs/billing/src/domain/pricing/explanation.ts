import {
  itemLine,
  localDay,
  minorText,
  toMajor,
  toMinor,
  vatIncluded,
  vatInside,
  type ExplainedAmount,
  type ExplanationLine,
  type ProductName,
} from '@commerce/kernel';
import type { IntervalUnit } from '../calendar/calendar.js';
import {
  calendarOf,
  recomputePart,
  recomputePeriod,
  recomputeProration,
  type Breakdown,
  type BreakdownPart,
  type FixedPart,
  type PeriodPart,
  type ProrationPart,
  type ProrationTake,
} from './breakdown.js';
import { vatOfPart } from './part-tax.js';
import { ratesOf } from './period-rates.js';
import { NO_PRODUCT, planPrice } from './pricing.js';

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
  switch (part.kind) {
    case 'period':
      return explainPeriod(part, currency, nameOf);
    case 'proration':
      return [explainProration(part, currency), ...vatIncluded(vatOfPart(part.vat, currency), currency)];
    case 'setup':
    case 'outstanding':
    case 'uncollected':
    case 'credit':
      return [explainFixed(part, currency), ...vatIncluded(vatOfPart(part.vat, currency), currency)];
  }
}

/** The charge of the period, followed by the inputs of its price and the VAT in it. */
function explainPeriod(part: PeriodPart, currency: string, nameOf: ProductName): ExplanationLine[] {
  const { timezone, start, end, service_end, priced_from } = part;
  const { amount_minor, steps } = recomputePeriod(part, currency);
  const plan = priced_from && planPrice(priced_from);
  const [upTo = 0, before = 0] = steps.map(({ rounded }) => toMinor(rounded, currency));
  const of = (minor: number): string => minorText(minor, currency);
  const single = of(plan?.single_minor ?? toMinor(part.price, currency));
  const price = plan !== null && plan.quantity > 1 ? `${plan.quantity} × ${single}` : single;
  const accrued = before === 0 ? of(upTo) : `${of(upTo)} by its end less ${of(before)} before it`;
  const last = service_end === null ? end : Math.min(end, service_end);
  const charge: ExplanationLine = {
    label: periodText(new Date(start), new Date(last), timezone),
    amount: toMajor(amount_minor, currency),
    note: `${price} per ${intervalText(part)}: ${accrued}`,
  };
  const items = plan?.priced?.lines ?? [];
  const made = items.flatMap((line, index) => {
    const input = priced_from?.items[index];
    return input === undefined || input.product === NO_PRODUCT
      ? []
      : [itemLine(input, line, currency, nameOf)];
  });
  const period = { start: new Date(start), end: new Date(end) };
  const vat = vatInside(amount_minor, ratesOf(plan, calendarOf(part), period), currency);
  return [charge, ...discountLines(part, currency), ...made, ...vatIncluded(vat, currency)];
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

function intervalText({ interval_unit, interval_count = 1 }: PeriodPart): string {
  const unit = UNITS[interval_unit];
  return interval_count === 1 ? unit : `${interval_count} ${unit}s`;
}

function explainProration(part: ProrationPart, currency: string): ExplanationLine {
  const { takes, mode, timezone, start, end, base } = part;
  const { amount_minor, unused, total } = recomputeProration(part, currency);
  const share =
    mode === 'second' ? `${seconds(unused)} of ${seconds(total)} seconds` : `${unused} of ${total} days`;
  return {
    label: `${TAKEN[takes]} ${periodText(new Date(start), new Date(end), timezone)}`,
    amount: toMajor(amount_minor, currency),
    note: `${share}${takes === 'day' ? '' : ' unused'}, of ${minorText(toMinor(base, currency), currency)}`,
  };
}

function explainFixed({ kind, amount }: FixedPart, currency: string): ExplanationLine {
  const amount_minor = toMinor(amount, currency);
  const earlier = amount_minor < 0 ? 'Charged before' : 'Owed from before';
  const labels = {
    setup: 'Setup fee',
    outstanding: earlier,
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

const TAKEN: Readonly<Record<ProrationTake, string>> = {
  stop: 'Not used of',
  used: 'Used of',
  unused: 'What was left of',
  day: 'More for a day of',
};
