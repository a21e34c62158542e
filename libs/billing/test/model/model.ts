import { booked, credit, owed, type Payment, type Taken } from './books.js';
import { boundary } from './calendar.js';
import { costOf } from './cost.js';
import { heldIn } from './held.js';
import type { Move } from './service.js';
import { Subscription, type Company, type Period, type Term, type Terms } from './subscription.js';

/** Bills a subscription: takes what is due, the oldest first, as the difference of a period's cost and its books. */
export class Model {
  readonly it: Subscription;
  readonly payments: Payment[] = [];
  readonly given: Move[] = [];
  now: number;
  /** Whether the card is refused, by payment. */
  refused: readonly boolean[] = [];
  private readonly touches: number[] = [];

  constructor(company: Company, terms: Terms, term: Term, at: number) {
    this.it = new Subscription(company, terms, term);
    this.now = at;
    this.it.begin(at, 0);
    this.it.hold(at, terms);
  }

  /** What is due by then happens, each at its own date, or all now where nobody worked before. */
  run(until: number, isLate: boolean): void {
    if (isLate) this.now = Math.max(this.now, until);
    for (;;) {
      const next = this.next();
      if (next === null || next.at > until) break;
      this.now = Math.max(this.now, next.at);
      next.does();
    }
    this.now = Math.max(this.now, until);
  }

  private next(): { at: number; does: () => void } | null {
    const { it } = this;
    if (it.status === 'COMPLETED') return null;
    const all: { at: number; does: () => void }[] = [];
    // Of what is due at one instant, what holds from then on comes first.
    if (it.resumeAt !== null) {
      const at = it.resumeAt;
      all.push({ at, does: () => this.resume(at, false) });
    }
    if (it.pending !== null && it.status !== 'PAUSED' && it.pending.at < it.lastEnd) {
      const { at, terms, creditTo } = it.pending;
      all.push({ at, does: () => this.takeEffect(at, terms, creditTo) });
    }
    const begins = this.nextStart();
    if (begins !== null) all.push({ at: begins, does: () => this.open(begins) });
    const due = Math.min(...it.periods.map((one) => this.dueOf(one)));
    if (due < Infinity) all.push({ at: due, does: () => this.settle(due) });
    const ends = it.status === 'PAUSED' || it.status === 'CANCELLED' ? Infinity : it.lastEnd;
    if (ends < Infinity) all.push({ at: ends, does: () => this.end() });
    return all.reduce<(typeof all)[number] | null>((a, b) => (a === null || b.at < a.at ? b : a), null);
  }

  private end(): void {
    this.it.status = this.it.status === 'ACTIVE' ? 'COMPLETED' : 'CANCELLED';
  }

  private nextStart(): number | null {
    const { it } = this;
    if (it.status === 'CANCELLED') return null;
    const last = it.periods.at(-1);
    const start = last?.era === it.era ? last.end : it.era.calendar.anchor;
    return start < it.lastEnd ? start : null;
  }

  private open(start: number): void {
    const { era } = this.it;
    const last = this.it.periods.at(-1);
    const index = last?.era === era ? last.index + 1 : 0;
    const end = boundary(era.calendar, era.calendar.billed, index + 1);
    const touched = this.touches.filter((at) => start < at && at <= Math.min(end, era.brokenAt));
    this.it.periods.push({
      era,
      start,
      end,
      index,
      books: [],
      charged: null,
      touched,
      closed: null,
      isJoined: false,
      creditTo: 'card',
    });
  }

  /** When the difference of a period is to be taken next. */
  private dueOf(period: Period): number {
    const { it } = this;
    const [ends, served] = [it.endOf(period), it.servedUntil(period)];
    const dates = [...period.touched];
    const isPaused = it.status === 'PAUSED' || it.status === 'CANCELLED';
    if (this.isPrepaid(period) && !isPaused) {
      if (period.charged === null) dates.push(period.start);
      else if (period.charged < served) dates.push(period.charged);
    }
    if (period.closed === null || period.closed < ends) dates.push(ends);
    else if (period.era.isResumed && !period.isJoined && ends === period.era.brokenAt)
      dates.push(this.joinedWith(period));
    return Math.min(...dates);
  }

  /** Timing is that of the terms with which the period ends, so far. */
  private isPrepaid(period: Period): boolean {
    return this.it.termsBefore(Math.min(this.it.endOf(period), this.now + 1)).plan.prepay;
  }

  /** What a new calendar takes from the day in which a resume broke off this one joins its first charge. */
  private joinedWith({ era }: Period): number {
    const heir = this.it.periods.find((one) => one.start === era.brokenAt && one.era !== era);
    return heir === undefined ? Infinity : this.dueOf(heir);
  }

  private settle(at: number): void {
    const { it } = this;
    const group = this.dueTogether(at);
    for (const period of group) {
      period.isJoined ||= group.some(({ start }) => start === period.era.brokenAt);
    }
    const taken: (Taken & { to: 'card' | 'balance' })[] = [];
    const asked: { period: Period; amount: number }[] = [];
    for (const period of group) {
      const amount = costOf(heldIn(this.it, period)) - booked(period.books);
      period.touched = period.touched.filter((one) => one > at);
      period.charged = it.servedUntil(period);
      if (at >= it.endOf(period)) period.closed = it.endOf(period);
      const to = period.creditTo;
      period.creditTo = 'card';
      if (amount > 0) asked.push({ period, amount });
      if (amount < 0) taken.push(...credit(period.books, -amount).map((one) => ({ ...one, to })));
    }
    this.bill(asked, taken);
  }

  /** Each period is one payment; the first of a new calendar takes what is left of the one that it breaks off. */
  private dueTogether(at: number): Period[] {
    const due = this.it.periods.filter((one) => this.dueOf(one) <= at);
    const [first] = due;
    const isSplit = first !== undefined && first.closed === null && !this.isPrepaid(first);
    return due.filter((one) => one === first || (!isSplit && one.start === first?.era.brokenAt));
  }

  /** What is taken off pays what is asked at the same time; the rest is charged, or given back. */
  private bill(
    asked: { period: Period; amount: number }[],
    taken: (Taken & { to: 'card' | 'balance' })[],
  ): void {
    const pots = taken.map((one) => ({ ...one, left: one.amount }));
    let toPay = 0;
    const shares: { period: Period; amount: number }[] = [];
    for (const { period, amount } of asked) {
      let open = amount;
      for (const pot of pots.filter(({ isOwed }) => !isOwed)) {
        const part = Math.min(open, pot.left);
        if (part === 0) continue;
        pot.left -= part;
        open -= part;
        period.books.push({ payment: pot.payment, asked: part, paid: part, credited: 0, forgiven: 0 });
      }
      if (open > 0) shares.push({ period, amount: open });
      toPay += open;
    }
    if (toPay > 0) this.charge(toPay, shares);
    for (const { payment, left, isOwed, to } of pots)
      if (left > 0) this.give(payment, left, isOwed ? 'owed' : to);
  }

  private charge(amount: number, shares: { period: Period; amount: number }[]): void {
    const number = this.payments.length;
    const isRefused = this.refused[number] === true;
    const payment: Payment = {
      number,
      at: this.now,
      amount,
      holds: isRefused ? 0 : amount,
      isDisputed: false,
    };
    this.payments.push(payment);
    for (const { period, amount: asked } of shares) {
      period.books.push({ payment, asked, paid: isRefused ? 0 : asked, credited: 0, forgiven: 0 });
    }
  }

  private give(payment: Payment, amount: number, to: Move['to']): void {
    payment.holds -= amount;
    this.given.push({ at: this.now, payment: payment.number, amount, to });
  }

  get outstanding(): number {
    return this.it.periods.reduce((sum, { books }) => sum + owed(books), 0);
  }

  // What people do. The service has refused what it refuses before.

  stop(date: number | null): void {
    const { it } = this;
    it.pending = null;
    it.stopAt = date ?? this.now;
    it.isStoppedAtOnce = it.stopAt <= this.now;
    it.resumeAt = null;
    it.status = it.status === 'PAUSED' ? 'CANCELLED' : 'NON_RENEWING';
  }

  takeBack(): void {
    this.it.stopAt = null;
    this.it.status = 'ACTIVE';
  }

  pause(resumeAt: number | null): void {
    const { it } = this;
    it.hold(this.now, null);
    it.status = 'PAUSED';
    it.resumeAt = resumeAt;
    this.touch(this.now);
  }

  resume(at: number, isAnew: boolean): void {
    const { it } = this;
    it.resumeAt = null;
    const pausedAt = it.spans.at(-1)?.from ?? at;
    if (it.pending !== null && it.pending.at <= at) {
      it.terms = it.pending.terms;
      it.pending = null;
    }
    it.status = 'ACTIVE';
    if (isAnew || !this.keepsCalendar(it.terms)) {
      if (!isAnew) this.touch(at);
      it.era.isResumed = isAnew;
      it.begin(at, it.doneBy(isAnew ? pausedAt : at));
    } else if (it.terms.plan.prepay) this.touch(at);
    it.hold(at, it.terms);
  }

  change(terms: Terms, at: number, creditTo: 'card' | 'balance'): void {
    this.it.pending = { terms, at, creditTo };
    if (at <= this.now && this.it.status !== 'PAUSED') this.takeEffect(this.now, terms, creditTo);
  }

  private takeEffect(at: number, terms: Terms, creditTo: 'card' | 'balance'): void {
    const { it } = this;
    it.pending = null;
    if (it.isSame(terms)) return;
    it.terms = terms;
    const isNew = !this.keepsCalendar(terms);
    for (const one of it.periods) if (one.start <= at && at < it.endOf(one)) one.creditTo = creditTo;
    if (isNew || terms.plan.prepay) this.touch(at);
    if (isNew) it.begin(at, it.doneBy(at));
    it.hold(at, terms);
  }

  private keepsCalendar({ plan }: Terms): boolean {
    const { priced, billed } = this.it.era.calendar;
    const same = (a: { unit: string; count: number }, b: { unit: string; count: number }): boolean =>
      a.unit === b.unit && a.count === b.count;
    return same(plan.priced, priced) && same(plan.billed, billed);
  }

  /** The running period is settled at that instant. */
  private touch(at: number): void {
    this.touches.push(at);
    for (const one of this.it.periods) {
      if (one.start <= at && at <= this.it.endOf(one)) one.touched.push(at);
    }
  }
}
