import type { CalendarPeriod } from '../calendar/calendar.js';
import { earliest, earlier, type Schedule } from '../calendar/schedule.js';
import type { Subscribed } from '../pricing/terms.js';
import { beginPeriod, held, type BillingPeriod } from './billing-period.js';
import { dueOf, type PeriodEnds, type Timing } from './settlement.js';

/** What a subscription is charged for: its terms, their calendar and timing, and the periods with spans and books. */
export interface Line {
  readonly subscribed: Subscribed;
  readonly schedule: Schedule;
  readonly timing: Timing;
  /** Index of the next period to begin. */
  readonly next_period: number;
  /** The periods that have begun and may still be settled, the oldest first; the last one is kept. */
  readonly periods: readonly BillingPeriod[];
}

/** The lines of a subscription; the first is that of its plan. */
export type Lines = readonly [Line, ...Line[]];

/** What bounds the service of all lines, beside the term of the subscription; null for neither pause nor stop. */
export interface ServiceBounds {
  readonly paused_at: Date | null;
  readonly stop: Date | null;
}

/** The lines, each as changed. */
export function eachLine(lines: Lines, change: (line: Line) => Line): Lines {
  const [first, ...others] = lines;
  return [change(first), ...others.map(change)];
}

/** The end of service that is known now; null: none. A pause ends none. */
export function serviceEnd({ schedule }: Line, { stop }: ServiceBounds): Date | null {
  return earliest(stop, schedule.end);
}

/** The ends of a period: one of an earlier calendar has its own. */
export function endsOf(line: Line, bounds: ServiceBounds, period: BillingPeriod): PeriodEnds {
  const { schedule } = line;
  if (period.run !== schedule.run) return { service: period.end, settled: period.end };
  const settled = earlier(period.end, schedule.end);
  return { service: earlier(settled, serviceEnd(line, bounds)), settled };
}

/** The next period of the calendar that will begin; null where none does: not after an end, nor in a pause. */
export function nextPeriod(line: Line, bounds: ServiceBounds): CalendarPeriod | null {
  const next = line.schedule.period(line.next_period);
  const end = bounds.paused_at ?? serviceEnd(line, bounds);
  return end !== null && end <= next.start ? null : next;
}

/** The line in which the next period has begun, where it starts by then. */
export function begun(line: Line, bounds: ServiceBounds, at: Date): Line {
  const next = nextPeriod(line, bounds);
  if (next === null || next.start > at) return line;
  const { schedule, subscribed, periods } = line;
  const { paused_at } = bounds;
  const whole = beginPeriod(schedule, next.index, subscribed);
  const period = paused_at !== null && paused_at < next.end ? held(whole, paused_at, null) : whole;
  return { ...line, next_period: line.next_period + 1, periods: [...periods, period] };
}

/** The newest period, where it belongs to the present calendar. */
export function runningPeriod({ schedule, periods }: Line): BillingPeriod | null {
  const newest = periods.at(-1);
  return newest?.run === schedule.run ? newest : null;
}

/** The period that holds `at`, where it has begun. */
export function periodHolding(line: Line, at: Date): BillingPeriod | null {
  const running = runningPeriod(line);
  return running !== null && running.start <= at && at < running.end ? running : null;
}

/** The line with another value in place of its newest period. */
export function withRunning(line: Line, period: BillingPeriod): Line {
  return { ...line, periods: [...line.periods.slice(0, -1), period] };
}

/** The date on which a period begins or the difference of one is taken next; null: not as things are. */
export function nextSettlement(line: Line, bounds: ServiceBounds): Date | null {
  const dates = line.periods.map((period) => dueOf(period, line.timing, endsOf(line, bounds, period)));
  return [...dates, nextPeriod(line, bounds)?.start ?? null].reduce(earliest, null);
}

/** The date on which the next whole period is charged; null where none is. */
export function nextPeriodCharge(line: Line, bounds: ServiceBounds): Date | null {
  const next = nextPeriod(line, bounds);
  if (line.timing === 'advance') return next?.start ?? null;
  const running = runningPeriod(line);
  if (running !== null && bounds.paused_at === null) {
    const { settled } = endsOf(line, bounds, running);
    if (running.settled_until < settled) return settled;
  }
  return next === null ? null : earlier(next.end, line.schedule.end);
}
