import { boundary, indexAt, priceOf, type Calendar, type Cut, type Interval } from './calendar.js';
import type { Books } from './books.js';
import type { Mode, Span, Whole } from './cost.js';
import { dateOf } from './wall.js';

export interface Plan {
  readonly name: string;
  /** Of one interval and quantity 1, in minor units. */
  readonly price: number;
  readonly priced: Interval;
  readonly billed: Interval;
  readonly prepay: boolean;
  readonly prorated: boolean;
}

export interface Terms {
  readonly plan: Plan;
  readonly quantity: number;
}

export interface Company {
  readonly zone: string;
  readonly mode: Mode;
  /** The step of its amounts, in minor units. */
  readonly step: number;
}

/** How long a subscription lasts by itself; neither: until it is stopped. */
export interface Term {
  readonly ending: number | null;
  readonly total: number | null;
}

/** A calendar of the subscription. A later one breaks it off. */
export interface Era {
  readonly calendar: Calendar;
  /** Intervals that had ended before it. */
  readonly done: number;
  brokenAt: number;
  /** Broken off by a resume. */
  isResumed: boolean;
}

/** A period that has begun. */
export interface Period {
  readonly era: Era;
  readonly start: number;
  readonly end: number;
  readonly index: number;
  readonly books: Books;
  /** Up to where it was charged in advance; null: not yet. */
  charged: number | null;
  /** When something happens that is settled at once. */
  touched: number[];
  /** The end at which it was settled as a whole. */
  closed: number | null;
  /** Settled together with the first period of the calendar that broke it off. */
  isJoined: boolean;
  creditTo: 'card' | 'balance';
}

export type Status = 'ACTIVE' | 'PAUSED' | 'NON_RENEWING' | 'COMPLETED' | 'CANCELLED';

/** What is known about a subscription: facts, and the books of its periods. */
export class Subscription {
  status: Status = 'ACTIVE';
  readonly spans: Span[] = [];
  readonly eras: Era[] = [];
  readonly periods: Period[] = [];
  stopAt: number | null = null;
  /** Stopped at once: in the period that runs, not in one that ends at that instant. */
  isStoppedAtOnce = false;
  resumeAt: number | null = null;
  pending: { at: number; terms: Terms; creditTo: 'card' | 'balance' } | null = null;
  private readonly names = new Map<string, Terms>();
  private readonly wholes = new Map<string, Whole>();

  constructor(
    readonly company: Company,
    public terms: Terms,
    public term: Term,
  ) {}

  /** From then on these terms hold, or a pause. */
  hold(at: number, terms: Terms | null): void {
    while ((this.spans.at(-1)?.from ?? -1) >= at) this.spans.pop();
    this.spans.push({ from: at, terms: terms && this.nameOf(terms) });
  }

  private nameOf(terms: Terms): string {
    const name = `${terms.plan.name} × ${terms.quantity}`;
    this.names.set(name, terms);
    return name;
  }

  isSame({ plan, quantity }: Terms): boolean {
    return plan.name === this.terms.plan.name && quantity === this.terms.quantity;
  }

  /** A new calendar, which breaks the one before off. */
  begin(at: number, done: number): void {
    const { plan } = this.terms;
    const last = this.eras.at(-1);
    if (last !== undefined) last.brokenAt = at;
    const calendar = { anchor: at, zone: this.company.zone, priced: plan.priced, billed: plan.billed };
    this.eras.push({ calendar, done, brokenAt: Infinity, isResumed: false });
  }

  get era(): Era {
    const era = this.eras.at(-1);
    if (era === undefined) throw new Error('it has not begun');
    return era;
  }

  /** Intervals that have ended by then. */
  doneBy(at: number): number {
    return this.era.done + indexAt(this.era.calendar, this.era.calendar.priced, at);
  }

  /** The end by its own term. */
  get ownEnd(): number {
    const { ending, total } = this.term;
    if (ending !== null) return ending;
    if (total === null) return Infinity;
    return boundary(this.era.calendar, this.era.calendar.priced, total - this.era.done);
  }

  /** The end of the last period: that of the period which holds the date of a stop (D5). */
  get lastEnd(): number {
    const { calendar } = this.era;
    if (this.stopAt === null) return this.ownEnd;
    const index = indexAt(
      calendar,
      calendar.billed,
      Math.max(calendar.anchor, this.stopAt - (this.isStoppedAtOnce ? 0 : 1)),
    );
    return Math.min(this.ownEnd, boundary(calendar, calendar.billed, index + 1));
  }

  endOf(period: Period): number {
    return Math.min(period.end, period.era.brokenAt, this.ownEnd);
  }

  servedUntil(period: Period): number {
    return Math.min(this.endOf(period), this.stopAt ?? Infinity);
  }

  termsBefore(at: number): Terms {
    const span = this.spans.findLast(({ from, terms }) => from < at && terms !== null);
    return span?.terms ? this.termsOf(span.terms) : this.terms;
  }

  termsOf(name: string): Terms {
    const terms = this.names.get(name);
    if (terms === undefined) throw new Error(`nothing is known of ${name}`);
    return terms;
  }

  /** The price of a period under some terms, up to the subscription's own end where that is given. */
  whole(period: Period, name: string, cut: Cut | null): Whole {
    const { era, index } = period;
    const key = [era.calendar.anchor, index, name, cut?.at].join();
    const known = this.wholes.get(key);
    if (known !== undefined) return known;
    const { plan, quantity } = this.termsOf(name);
    const { prorated } = plan;
    const calendar = { ...era.calendar, priced: plan.priced, billed: plan.billed };
    const price = { of: () => plan.price * quantity, prorated };
    const whole = { price: priceOf(calendar, price, index, { step: this.company.step, cut }), prorated };
    this.wholes.set(key, whole);
    return whole;
  }

  /** Where its own end cuts a period. A day that it falls into counts, unless a new interval of the price begins there. */
  cutOf({ start, end, era }: Period): Cut | null {
    const { ownEnd: at, company } = this;
    if (at <= start || at >= Math.min(end, era.brokenAt)) return null;
    const { calendar } = era;
    const isBoundary = boundary(calendar, calendar.priced, indexAt(calendar, calendar.priced, at)) === at;
    return { at, date: dateOf(company.zone, isBoundary ? at : at - 1) + (isBoundary ? 0 : 1) };
  }
}
