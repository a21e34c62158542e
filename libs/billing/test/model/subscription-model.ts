import { instantOfWall, wallTimeOf } from '@commerce/kernel';

import { HOUR } from '../random-scenario.js';
import { sumOf, type Span, type Sum } from './change-model.js';
import {
  boundary,
  intervalsBy,
  intervalsEnd,
  type ModelCalendar,
  type ModelSettings,
} from './model-calendar.js';
import type { ModelFixture } from './model-end.js';
import { heldAfter, heldFrom, priced, removedBefore, type ModelSubscribed } from './model-terms.js';
import type { Coupon } from './random-changes.js';

/** The plan and quantity of a change, and the coupon that it brings. */
export interface ModelChange extends Pick<ModelSubscribed, 'plan' | 'quantity'> {
  readonly coupon?: Coupon | null;
}

/** The second model of a subscription: the spans of its service, each with its own terms and calendar. */
export class SubscriptionModel {
  readonly spans: Span[] = [];
  /** The start of the pause that goes on. */
  pausedAt: number | null = null;
  stopsAt: number | null = null;
  current: ModelSubscribed;
  readonly settings: ModelSettings;
  /** Pauses, resumes and stops, each with a rounding of its own. */
  private breaks = 0;
  /** Price intervals that ended in earlier calendars. */
  private intervalsBefore = 0;
  /** Index of the first span after the newest resume with a new calendar. */
  private reanchored = 0;

  constructor(
    private readonly fixture: ModelFixture,
    private readonly start: Date,
    coupon: Coupon | null,
  ) {
    this.settings = { timezone: 'UTC', proration_mode: 'day', ...fixture.settings };
    const quantity = fixture.quantity ?? 1;
    this.current = { plan: 'first', quantity, coupon: coupon && heldFrom(coupon, 0) };
    this.begin(this.afterTrial(start), start.getTime());
  }

  get span(): Span {
    const span = this.spans.at(-1);
    if (span === undefined) throw new RangeError('nothing has started');
    return span;
  }

  /** Everything that is charged by `until`. */
  sumBy(until: number): Sum {
    const { exact, cuts } = sumOf(this.spans, this.settings, until);
    return { exact, cuts: cuts + this.breaks };
  }

  /** The next start of a billing period, or the end of the subscription before it. */
  boundaryAfter(at: number): number {
    const { ends } = this.span;
    for (let index = 0; ; index += 1) {
      const end = boundary(this.span, index, this.zone);
      if (end > at) return ends > at ? Math.min(end, ends) : end;
    }
  }

  /** @param isEntered a billing period that begins at this instant has begun */
  pause(at: number, isEntered: boolean): void {
    this.pausedAt = at;
    this.end(at, isEntered);
  }

  /** A subscription that is paused ends where the pause began. */
  stop(date: number, isEntered: boolean): void {
    if (this.pausedAt !== null) return;
    this.stopsAt = date;
    this.end(date, isEntered);
  }

  /** Takes back a stop. */
  restart(): void {
    this.breaks += 1;
    this.stopsAt = null;
    this.spans[this.spans.length - 1] = { ...this.span, to: null, isEntered: false };
  }

  resume(at: number, reanchor: boolean): void {
    this.breaks += 1;
    if (reanchor) {
      const passed = this.intervalsBy(this.pausedAt ?? at);
      this.intervalsBefore += passed;
      this.current = { ...this.current, coupon: heldAfter(this.current.coupon, passed) };
    }
    const { anchor, charged } = this.span;
    if (reanchor) {
      this.reanchored = this.spans.length;
      this.begin(new Date(at), at);
    } else {
      this.begin(anchor, at, { ...(charged && { charged }), goesOn: this.isWithinPause(at) });
    }
    this.pausedAt = null;
  }

  /**
   * The discount ends with the interval that began before `now`, or before a pause that goes on. The billing periods up
   * to `through` have been charged, also for intervals after it.
   */
  removeCoupon(now: number, through: number): void {
    const { span, current } = this;
    if (current.coupon === null || current.coupon.isRemoved) return;
    const at = this.pausedAt ?? now;
    const next = at <= span.anchor.getTime() ? 0 : this.intervalsBy(at - 1) + 1;
    this.current = { ...current, coupon: removedBefore(current.coupon, next) };
    const charged = { through, discount: span.discount };
    this.spans[this.spans.length - 1] = { ...span, ...priced(this.fixture, this.current), charged };
  }

  /** Ends the span, and begins one with the terms of a change; false where that changes nothing. */
  change({ plan, quantity, coupon }: ModelChange, at: number): boolean {
    const { span: before, current } = this;
    if (plan === current.plan && quantity === current.quantity && !coupon) return false;
    const { terms } = priced(this.fixture, { plan, quantity, coupon: null });
    const inTrial = at < before.anchor.getTime();
    const keeps = inTrial || sameIntervals(terms, before.terms);
    const passed = inTrial ? 0 : this.intervalsBy(at);
    const kept = keeps ? current.coupon : heldAfter(current.coupon, passed);
    if (!keeps) this.intervalsBefore += passed;
    this.current = { plan, quantity, coupon: coupon ? heldFrom(coupon, keeps ? passed : 0) : kept };
    this.spans[this.spans.length - 1] = { ...before, to: at };
    this.replaceAtStart(at);
    const ended = this.span;
    this.begin(keeps ? before.anchor : new Date(at), at, keeps && !inTrial ? { changed: ended } : {});
    return true;
  }

  private get zone(): string {
    return this.settings.timezone;
  }

  /**
   * A billing period that a change replaces at its start costs nothing, even where a pause had begun there. The period
   * of a pause that ended with a new calendar is another one, and stays.
   */
  private replaceAtStart(at: number): void {
    const index = this.spans.findLastIndex(({ to, isEntered }) => isEntered === true && to === at);
    const span = this.spans[index];
    if (span !== undefined && index >= this.reanchored) this.spans[index] = { ...span, isEntered: false };
  }

  /** Whether the billing period in which the pause began goes on at `at`. */
  private isWithinPause(at: number): boolean {
    const { pausedAt, span } = this;
    if (pausedAt === null || span.isEntered !== true) return false;
    for (let index = 0; ; index += 1) {
      const end = boundary(span, index, this.zone);
      if (end > pausedAt) return at < end;
    }
  }

  private begin(anchor: Date, from: number, before: Pick<Span, 'charged' | 'goesOn' | 'changed'> = {}): void {
    const calendar = { ...before, ...priced(this.fixture, this.current), anchor };
    const last = this.spans.at(-1);
    // A span of no length has held nothing.
    const endedBefore = last?.from === last?.to ? (last?.endedBefore ?? null) : (last?.to ?? null);
    this.spans.push({ ...calendar, ends: this.endOf(calendar), from, to: null, endedBefore });
  }

  /** An interval that a new calendar broke off does not count. */
  private endOf(calendar: Omit<ModelCalendar, 'ends'>): number {
    const { end } = this.fixture;
    if (end === undefined) return Infinity;
    if ('hours' in end) return this.start.getTime() + end.hours * HOUR;
    return intervalsEnd(calendar, end.intervals - this.intervalsBefore, this.zone);
  }

  private end(at: number, isEntered: boolean): void {
    this.breaks += 1;
    this.spans[this.spans.length - 1] = { ...this.span, to: at, isEntered };
  }

  private intervalsBy(at: number): number {
    return intervalsBy(this.span, at, this.zone);
  }

  private afterTrial(start: Date): Date {
    const days = this.fixture.plan?.trial_days ?? 0;
    const { day, ms } = wallTimeOf(start, this.zone);
    return days === 0 ? start : instantOfWall({ day: day + days, ms }, this.zone);
  }
}

function sameIntervals(a: Span['terms'], b: Span['terms']): boolean {
  return (
    a.interval.unit === b.interval.unit &&
    a.interval.count === b.interval.count &&
    a.billing.unit === b.billing.unit &&
    a.billing.count === b.billing.count
  );
}
