import {
  endOfUnits,
  intervalsOf,
  periodAt,
  periodBoundary,
  periodIndexAt,
  unitsUpTo,
  type BillingCalendar,
  type CalendarPeriod,
  type IntervalUnit,
  type PlanIntervals,
} from './calendar.js';
import { endingAt, type Term } from './term.js';

/** The inputs of a schedule: fields of the subscription, and the two intervals of its plan. */
export interface ScheduleFacts extends PlanIntervals {
  readonly starting_date: Date;
  readonly trial_ending_date: Date | null;
  /** Boundary 0 of the calendar: the start, the trial's end or the last re-anchoring. */
  readonly anchor: Date;
  /** The company's timezone at the start: a later change of it must not shift existing periods. */
  readonly timezone: string;
  /** Number of re-anchorings so far. */
  readonly run: number;
  /** Price intervals that ended in earlier runs. */
  readonly units_before: number;
  /** The term before any stop. A stop does not cut a period: it is settled at the end of one. */
  readonly term: Term;
}

/** The position of a period in time: its run, the anchor of that run, and its index from there. */
export interface PeriodPlace {
  readonly run: number;
  readonly anchor: Date;
  readonly index: number;
  readonly end: Date;
}

/**
 * The calendar of a started subscription and its end, resolved once when the state is read and memoized for a whole
 * decision. Immutable: another anchor or term makes another schedule.
 */
export class Schedule implements BillingCalendar {
  readonly #periods = new Map<number, CalendarPeriod>();
  #end: Date | null | undefined;

  constructor(readonly facts: ScheduleFacts) {}

  get anchor(): Date {
    return this.facts.anchor;
  }

  get timezone(): string {
    return this.facts.timezone;
  }

  get interval_unit(): IntervalUnit {
    return this.facts.interval_unit;
  }

  get interval_count(): number {
    return this.facts.interval_count;
  }

  get billing_interval(): IntervalUnit {
    return this.facts.billing_interval;
  }

  get billing_interval_count(): number {
    return this.facts.billing_interval_count;
  }

  get run(): number {
    return this.facts.run;
  }

  get term(): Term {
    return this.facts.term;
  }

  /** End of the subscription by its own term; null where it has none. */
  get end(): Date | null {
    if (this.#end === undefined) this.#end = this.findEnd();
    return this.#end;
  }

  /** The whole period, even where the end cuts it. */
  period(index: number): CalendarPeriod {
    const known = this.#periods.get(index);
    if (known !== undefined) return known;
    const before = this.#periods.get(index - 1);
    // Boundaries cost the most of a forecast: the end of the period before is the start of this one.
    const period =
      before === undefined
        ? periodAt(this, index)
        : { index, start: before.end, end: periodBoundary(this, index + 1) };
    this.#periods.set(index, period);
    return period;
  }

  /** Index of the period that holds `instant`; -1 before the anchor. */
  indexAt(instant: Date): number {
    return periodIndexAt(this, instant);
  }

  /** Whole price intervals that have ended by `instant`, all runs included. */
  unitsBy(instant: Date): number {
    return this.facts.units_before + unitsUpTo(this, instant);
  }

  /**
   * The schedule of a period: this one, or that of an earlier run, which ended with the period. `intervals` are those of
   * the plan that the period belongs to.
   */
  covering(period: PeriodPlace, intervals: PlanIntervals): Schedule {
    const { run, anchor, end } = period;
    if (run === this.run) return this;
    const term = endingAt(end);
    return new Schedule({ ...this.facts, ...intervalsOf(intervals), run, anchor, units_before: 0, term });
  }

  /** The same anchor with the intervals of another plan, of which nothing has been charged yet. */
  withIntervals(intervals: PlanIntervals): Schedule {
    return new Schedule({ ...this.facts, ...intervalsOf(intervals) });
  }

  /** Whether a plan with these intervals has the same boundaries. */
  hasIntervals(intervals: PlanIntervals): boolean {
    return sameIntervals(this, intervals);
  }

  /** The same calendar with another term. */
  lasting(term: Term): Schedule {
    return new Schedule({ ...this.facts, term });
  }

  /**
   * A new calendar that begins at `anchor`, after a pause that began at `paused_at` or a change at that date. The
   * interval that it interrupted is not counted: a whole one takes its place.
   */
  anchoredAnew(anchor: Date, paused_at: Date): Schedule {
    const { run, trial_ending_date } = this.facts;
    return new Schedule({
      ...this.facts,
      anchor,
      run: run + 1,
      units_before: this.unitsBy(paused_at),
      trial_ending_date:
        trial_ending_date !== null && anchor < trial_ending_date ? anchor : trial_ending_date,
    });
  }

  private findEnd(): Date | null {
    const { term, units_before } = this.facts;
    if (term.ending_date !== null) return term.ending_date;
    if (term.interval_total === null) return null;
    return endOfUnits(this, Math.max(0, term.interval_total - units_before));
  }
}

function sameIntervals(a: PlanIntervals, b: PlanIntervals): boolean {
  return (
    a.interval_unit === b.interval_unit &&
    a.interval_count === b.interval_count &&
    a.billing_interval === b.billing_interval &&
    a.billing_interval_count === b.billing_interval_count
  );
}

export function earlier(a: Date, b: Date | null): Date {
  return b !== null && b < a ? b : a;
}

/** The earlier of two dates that may be missing; null where both are. */
export function earliest(a: Date | null, b: Date | null): Date | null {
  return a === null ? b : earlier(a, b);
}
