import { fraction, minus, NONE, plus, times, type Fraction } from './fraction.js';
import {
  boundary,
  chargeOf,
  dayFrom,
  endOf,
  unusedAt,
  unusedFrom,
  type ModelCalendar,
  type ModelSettings,
} from './model-calendar.js';

/**
 * A second model of the amounts of a subscription that changes, written from the rules alone: days, exact fractions,
 * and no function of the billing domain.
 */

/** Service from `from` to `to` under one set of terms; `to` is null while it goes on. */
export interface Span extends ModelCalendar {
  readonly from: number;
  readonly to: number | null;
  /** It ends at the start of a billing period that had begun: its first day counts as begun, where days count. */
  readonly isEntered?: boolean;
  /** It goes on with the billing period in which the span before ended. */
  readonly goesOn?: boolean;
  /** The end of the span before it; null for the first. */
  readonly endedBefore: number | null;
  /** The span that a change has ended, where the calendar goes on. */
  readonly changed?: Span;
}

/** The sum of all parts, and the number of those that are not whole billing periods. */
export interface Sum {
  readonly exact: Fraction;
  readonly cuts: number;
}

/** Everything that is charged for the spans by `until`, over which all but the last have been settled. */
export function sumOf(spans: readonly Span[], settings: ModelSettings, until: number): Sum {
  let exact = NONE;
  let cuts = 0;
  for (const span of spans) {
    const last = span.to ?? Infinity;
    for (let index = 0; ; index += 1) {
      const start = boundary(span, index, settings.timezone);
      if (start >= span.ends || (span.isEntered ? start > last : start >= last)) break;
      const end = endOf(span, index, settings.timezone);
      if (span.to === null && (span.terms.prepay ? start : end) > until) break;
      if (end <= span.from) continue;
      const a = Math.max(start, span.from);
      const b = Math.min(end, last);
      const part = { index, start, end, a, b };
      if (a > start || b < end) cuts += 1;
      // What a dearer day costs more is rounded by itself.
      if (a > start && a < b && dearerDay(span, part, settings).over !== 0n) cuts += 1;
      exact = plus(exact, partOf(span, part, settings));
    }
  }
  return { exact, cuts };
}

/** How far `minor` lies above (below: negative) the sum, beyond half a minor unit for each of `parts`; 0 within. */
export function beyond(minor: number, { over, under }: Fraction, parts: number): number {
  const twice = 2n * (BigInt(minor) * under - over);
  const allowed = BigInt(parts) * under;
  const excess = twice > allowed ? twice - allowed : twice < -allowed ? twice + allowed : 0n;
  return Number(excess) / Number(2n * under);
}

/** `[a, b)` within billing period `index`, which is `[start, end)`. */
export interface Part {
  readonly index: number;
  readonly start: number;
  readonly end: number;
  readonly a: number;
  readonly b: number;
}

/** The price of a part. */
export function partOf(span: Span, { index, start, end, a, b }: Part, settings: ModelSettings): Fraction {
  if (a === b && !(span.isEntered && b === start)) return NONE;
  const price = fraction(chargeOf(span, index, settings.timezone));
  const isWhole = a === start && !(span.goesOn && a === span.from);
  if (!span.terms.is_prorated) return isWhole ? price : NONE;
  const period = { start, end, billing: span.terms.billing };
  const unused = isWhole ? fraction(1) : unusedFrom(a, span.endedBefore, period, settings);
  const used = times(price, minus(unused, unusedAt(b, period, settings)));
  return isWhole ? used : plus(used, dearerDay(span, { index, start, end, a, b }, settings));
}

/** What dearer terms cost more for the day in which a change begins them, above the dearest of that day before. */
function dearerDay(span: Span, { index, start, end, a }: Part, settings: ModelSettings): Fraction {
  const { terms } = span;
  const day = dayFrom(a, settings.timezone);
  if (span.changed === undefined || settings.proration_mode === 'second') return NONE;
  let dearest = -1;
  for (let before: Span | undefined = span.changed; before !== undefined; before = before.changed) {
    const { from, to } = before;
    if (to === null || to <= day) break;
    if (from < to) dearest = Math.max(dearest, chargeOf(before, index, settings.timezone));
    if (from <= day) break;
  }
  const more = chargeOf(span, index, settings.timezone) - dearest;
  if (dearest < 0 || more <= 0) return NONE;
  const period = { start, end, billing: terms.billing };
  const whole = unusedFrom(Math.max(a, start), null, period, settings);
  return times(fraction(more), minus(whole, unusedAt(a, period, settings)));
}
