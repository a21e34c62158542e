import { toMajor, toMinor } from '@commerce/kernel';

import { credit, type Holding } from '../src/domain/lines/credit.js';
import { ask, bookedMinor, owedMinor, pay, type Books } from '../src/domain/lines/books.js';
import { earlier } from '../src/domain/calendar/schedule.js';
import { cost, totalMinor, type CostBasis, type WholePrice } from '../src/domain/lines/cost.js';
import type { Counting } from '../src/domain/lines/day-count.js';
import { dueOf, settledUntil, type PeriodEnds, type Timing } from '../src/domain/lines/settlement.js';
import { holding, type Span } from '../src/domain/lines/spans.js';
import type { PaymentKey } from '../src/domain/lines/payment-key.js';
import { date } from './scenario-text.js';

/** Terms by their name. */
export type NamedPrices = Readonly<
  Record<string, number | { readonly whole: number; readonly whole_only: true }>
>;

interface LineFixture {
  readonly timing?: Timing;
  readonly counting?: Partial<Counting>;
  readonly start?: string;
  readonly end?: string;
  readonly currency?: string;
}

export const BY_DAYS: Counting = { mode: 'day', timezone: 'UTC', interval: { unit: 'MONTH', count: 1 } };

/** Plays one billing period, April unless named, against its books. Dates are days of April or texts. */
export class LinePlay {
  spans: readonly Span<string>[] = [];
  books: Books = [];
  service_end: Date | null = null;
  readonly bills: string[] = [];
  readonly start: Date;
  readonly end: Date;
  readonly currency: string;
  readonly timing: Timing;
  readonly basis: CostBasis<string>;
  /** Money that a person has given back, by payment; and that disputes hold. */
  readonly given = new Map<string, number>();
  readonly disputed = new Set<string>();
  private settled_until: Date;

  constructor(
    prices: NamedPrices,
    {
      timing = 'advance',
      counting = {},
      start = '2025-04-01',
      end = '2025-05-01',
      currency = 'EUR',
    }: LineFixture = {},
  ) {
    [this.start, this.end] = [date(start), date(end)];
    this.settled_until = this.start;
    [this.currency, this.timing] = [currency, timing];
    this.basis = {
      currency,
      counting: { ...BY_DAYS, ...counting },
      priceOf: (terms) => priceOf(prices[terms], currency),
      same: (a, b) => a === b,
    };
  }

  /** The period begins with these terms. */
  begin(terms: string, ends: string | null = null): this {
    this.service_end = ends === null ? null : april(ends);
    return this.hold(this.start, terms);
  }

  change(at: string, terms: string): this {
    return this.hold(april(at), terms);
  }

  pause(at: string): this {
    return this.hold(april(at), null);
  }

  resume(at: string, terms: string): this {
    return this.hold(april(at), terms);
  }

  /** The end is another one from `at` on; null: none. */
  endAt(at: string, ends: string | null): this {
    this.runTo(at);
    if (this.isOver(april(at))) return this;
    this.service_end = ends === null ? null : april(ends);
    return this;
  }

  /** Takes every settlement that is due by then. */
  runTo(until: string | Date): this {
    const to = until instanceof Date ? until : april(until);
    for (let due = this.due; due !== null && due <= to; due = this.due) this.settle(due);
    return this;
  }

  /** The last settlement of the period. */
  finish(): this {
    return this.runTo(this.end);
  }

  get due(): Date | null {
    return dueOf({ spans: this.spans, settled_until: this.settled_until }, this.timing, this.ends);
  }

  private get ends(): PeriodEnds {
    return { service: earlier(this.end, this.service_end), settled: this.end };
  }

  get cost_minor(): number {
    return totalMinor(cost(this.period, this.basis));
  }

  get cost(): number {
    return toMajor(this.cost_minor, this.currency);
  }

  /** Charged less given back, of what the books know. */
  get booked(): number {
    return toMajor(bookedMinor(this.books), this.currency);
  }

  get owed(): number {
    return toMajor(owedMinor(this.books), this.currency);
  }

  get period() {
    const { start, end, spans, service_end } = this;
    return { start, end, spans, service_end, yields: [] };
  }

  settle(at: Date, isPaid = true): number {
    const amount_minor = this.cost_minor - bookedMinor(this.books);
    this.settled_until = settledUntil(this.timing, this.ends);
    if (amount_minor > 0) this.charge(amount_minor, isPaid);
    if (amount_minor < 0) this.credit(0 - amount_minor);
    if (amount_minor !== 0)
      this.bills.push(`${dayText(at)} ${toMajor(amount_minor, this.currency).toFixed(2)}`);
    return amount_minor;
  }

  credit(minor: number) {
    const outcome = credit(this.books, minor, (payment) => this.holdingOf(payment));
    for (const { payment, given_minor } of outcome.taken) this.giveBack(payment.period_key, given_minor);
    this.books = outcome.books;
    return outcome;
  }

  giveBack(period_key: string, minor: number): this {
    this.given.set(period_key, (this.given.get(period_key) ?? 0) + minor);
    return this;
  }

  private charge(minor: number, isPaid: boolean): void {
    const payment = keyOf(this.books.length);
    this.books = ask(this.books, payment, minor);
    if (isPaid) this.books = pay(this.books, payment, minor).books;
  }

  private holdingOf({ period_key }: PaymentKey): Holding {
    const paid = this.books.find((one) => one.payment.period_key === period_key)?.paid ?? 0;
    const rest = paid - (this.given.get(period_key) ?? 0);
    return this.disputed.has(period_key) ? { free: 0, disputed: rest } : { free: rest, disputed: 0 };
  }

  /** Nothing is asked of a subscription that has ended. */
  private isOver(at: Date): boolean {
    return this.service_end !== null && this.service_end <= at;
  }

  private hold(at: Date, terms: string | null): this {
    this.runTo(new Date(at.getTime() - 1));
    if (this.isOver(at)) return this;
    this.spans = holding(this.spans, at, terms, this.basis.same);
    if (at < this.settled_until) this.settled_until = at;
    return this.runTo(at);
  }
}

export function keyOf(number: number): PaymentKey {
  return number === 0
    ? { kind: 'period', period_key: '0' }
    : { kind: 'proration', period_key: `0-${String(number)}` };
}

function priceOf(price: NamedPrices[string] | undefined, currency: string): WholePrice {
  if (price === undefined) throw new Error('these terms have no price');
  const [whole, is_prorated] = typeof price === 'number' ? [price, true] : [price.whole, false];
  return { whole_minor: toMinor(whole, currency), is_prorated };
}

/** `16`, `16 13:00` of April, or any text of a date. */
export function april(text: string): Date {
  const [, day, time] = /^(\d{1,2})(?: (.+))?$/.exec(text) ?? [];
  return day === undefined ? date(text) : date(`2025-04-${day.padStart(2, '0')}T${time ?? '00:00'}`);
}

function dayText(at: Date): string {
  return at.toISOString().slice(5, 10);
}
