import { isFault, toMajor, toMinor } from '@commerce/kernel';

import type { Charge } from '../src/domain/cycle/decision.js';
import type { PreviewedCharge } from '../src/domain/cycle/preview.js';
import { boundary, sumOf, type ModelTerms, type Span, type Sum } from './change-model.js';
import { ChangingScenario } from './changing-scenario.js';
import { MONTHLY, type ScenarioFixture } from './fixture.js';
import type { Act, Answer, Gap, Step } from './random-changes.js';
import { HOUR, iso } from './random-scenario.js';
import { date } from './scenario-text.js';

type Change = Extract<Act, { do: 'change' }>;

interface Subscription {
  readonly plan: string;
  readonly quantity: number;
}

/** A subscription and the second model of it, which follow one history. */
export class ModelledHistory {
  readonly scenario: ChangingScenario;
  readonly spans: Span[] = [];
  private at: number;
  private current: Subscription;
  private pending: (Subscription & { readonly at: number }) | null = null;
  private isPaused = false;
  private stopsAt: number | null = null;
  /** Pauses, resumes and stops, each with a rounding of its own. */
  private breaks = 0;
  /** Given back by a person. */
  refunded_minor = 0;

  constructor(
    private readonly fixture: ScenarioFixture,
    start: string,
  ) {
    this.scenario = new ChangingScenario(fixture);
    this.at = date(start).getTime();
    this.current = { plan: 'first', quantity: fixture.quantity ?? 1 };
    this.scenario.start(start);
    this.spans.push({ terms: this.termsOf(this.current), anchor: date(start), from: this.at, to: null });
  }

  play(steps: readonly Step[]): this {
    for (const { gap, swept, act } of steps) {
      this.run(this.after(gap), swept);
      try {
        this.take(act);
      } catch (error) {
        if (!isFault(error)) throw error;
      }
    }
    return this;
  }

  /** The charges that a preview of a change shows, and those that follow it; none where the change is refused. */
  previewed({ plan, quantity, ahead, more }: Change): readonly (readonly PreviewedCharge[])[] {
    const { scenario, at } = this;
    const input = { ...more, at: typeof ahead === 'number' ? new Date(at + ahead * HOUR) : ahead };
    const before = scenario.payments.length;
    const change = [iso(at), { plan, quantity }, input] as const;
    try {
      const shown = scenario.previewChange(...change);
      const last = shown.at(-1)?.date ?? scenario.now;
      const charged = scenario
        .changePlan(...change)
        .runTo(last)
        .payments.slice(before);
      return [shown, charged.slice(0, shown.length).map(({ at: on, charge }) => shownOf(on, charge))];
    } catch (error) {
      if (!isFault(error)) throw error;
      return [];
    }
  }

  /** Runs until every cut is settled; billing succeeds from now on. */
  settle(): this {
    this.scenario.otherwise = 'yes';
    if (this.pending !== null) this.run(Math.max(this.at, this.pending.at), true);
    if (this.stopsAt !== null) this.run(Math.max(this.at, this.stopsAt), true);
    this.run(this.boundaryAfter(this.boundaryAfter(this.at)), true);
    return this;
  }

  /** Collected, less all that was given back, plus debt: minor units. */
  get net_minor(): number {
    const { net, it } = this.scenario;
    return toMinor(net, 'EUR') + toMinor(it.outstanding_amount, 'EUR');
  }

  /** The sum that the second model expects. */
  get sum(): Sum {
    const { exact, cuts } = sumOf(this.spans, this.settings, this.at);
    return { exact, cuts: cuts + this.breaks };
  }

  private get settings() {
    return { timezone: 'UTC', proration_mode: 'day' as const, ...this.fixture.settings };
  }

  private get span(): Span {
    const span = this.spans.at(-1);
    if (span === undefined) throw new RangeError('nothing has started');
    return span;
  }

  private after(gap: Gap): number {
    if (gap === 'boundary') return this.boundaryAfter(this.at);
    return this.at + (gap === 'none' ? 0 : gap * HOUR);
  }

  private run(to: number, swept: boolean): void {
    if (to > this.at || swept) this.scenario.runTo(new Date(swept ? to : to - 1));
    this.at = to;
    const { pending } = this;
    if (pending !== null && !this.isPaused && (swept ? pending.at <= to : pending.at < to)) {
      this.pending = null;
      this.change(pending, pending.at);
      this.agree();
    }
  }

  private take(act: Act): void {
    switch (act.do) {
      case 'change':
        this.changePlan(act);
        break;
      case 'withdraw':
        this.scenario.withdraw(iso(this.at));
        this.pending = null;
        break;
      case 'pause':
        this.pause();
        break;
      case 'start':
        this.start(act.reanchor);
        break;
      case 'stop':
        this.stop(act.ahead);
        break;
      case 'card':
        this.scenario.otherwise = act.outcome;
        break;
      case 'refund':
        this.refund(act.nth, act.percent);
        break;
    }
  }

  /** The day of a pause or stop counts as used, even where its period begins with it: left to the examples. */
  private pause(): void {
    if (this.isBoundary()) return;
    this.scenario.pause(iso(this.at));
    this.isPaused = true;
    this.end(this.at);
  }

  private stop(ahead: number | null): void {
    if (this.isBoundary()) return;
    const date = this.at + (ahead ?? 0) * HOUR;
    this.scenario.stop(iso(this.at), ahead === null ? undefined : iso(date));
    this.pending = null;
    if (this.isPaused) return;
    this.stopsAt = date;
    this.end(date);
  }

  private start(reanchor: boolean): void {
    const { at, pending } = this;
    this.scenario.start(iso(at), { reanchor });
    this.breaks += 1;
    if (!this.isPaused) {
      this.stopsAt = null;
      this.spans[this.spans.length - 1] = { ...this.span, to: null };
      return;
    }
    this.isPaused = false;
    this.spans.push({ ...this.span, anchor: reanchor ? new Date(at) : this.span.anchor, from: at, to: null });
    if (pending === null || pending.at > at) return;
    this.pending = null;
    this.change(pending, at);
    this.agree();
  }

  private end(at: number): void {
    this.breaks += 1;
    this.spans[this.spans.length - 1] = { ...this.span, to: at };
  }

  private isBoundary(): boolean {
    return this.boundaryAfter(this.at - 1) === this.at || this.span.anchor.getTime() === this.at;
  }

  private refund(nth: number, percent: number): void {
    const payment = this.scenario.payments.at(-nth);
    if (payment === undefined) return;
    const minor = Math.floor(((payment.paid_minor - payment.refunded_minor) * percent) / 100);
    this.scenario.giveBack(payment.key, toMajor(minor, 'EUR'));
    this.refunded_minor += minor;
  }

  private changePlan({ plan, quantity, ahead, more, answer }: Change): void {
    const { scenario, at } = this;
    const when = typeof ahead === 'number' ? new Date(at + ahead * HOUR) : ahead;
    if (more.collect === 'first' && ahead === 'now') scenario.script = scriptOf(answer);
    try {
      scenario.changePlan(iso(at), { plan, quantity }, { ...more, at: when });
    } finally {
      scenario.script = [];
    }
    this.pending = null;
    if (this.isPaused) {
      this.pending = { plan, quantity, at: when instanceof Date ? when.getTime() : at };
      return;
    }
    if (when !== 'now') {
      const due = when === 'period_end' ? this.boundaryAfter(at) : when.getTime();
      if (scenario.it.pending_change?.at?.getTime() !== due) throw new Error('it changes at another date');
      this.pending = { plan, quantity, at: due };
      return;
    }
    if (scenario.it.pending_change !== null) this.answer(answer);
    if (this.isCurrent({ plan, quantity })) this.change({ plan, quantity }, at);
    this.agree();
  }

  /** The customer authenticates the payment of a change, or never does. */
  private answer(answer: Answer): void {
    const waiting = this.scenario.payments.at(-1);
    if (answer !== 'late' || waiting === undefined) return;
    const later = this.at + HOUR;
    this.scenario.runTo(new Date(later));
    if (this.scenario.it.pending_change === null) return;
    this.scenario.answer(iso(later), waiting.key, 'yes');
  }

  /** The model of a change at `at`. */
  private change(to: Subscription, at: number): void {
    if (to.plan === this.current.plan && to.quantity === this.current.quantity) return;
    const before = this.span;
    const terms = this.termsOf(to);
    const keeps =
      terms.unit === before.terms.unit &&
      terms.count === before.terms.count &&
      terms.parts === before.terms.parts;
    this.spans[this.spans.length - 1] = { ...before, to: at };
    this.spans.push({ terms, anchor: keeps ? before.anchor : new Date(at), from: at, to: null });
    this.current = to;
  }

  private isCurrent({ plan, quantity }: Subscription): boolean {
    const { it, first, plans } = this.scenario;
    const id = plan === 'first' ? first.plan : plans.get(plan);
    return it.plan.toHexString() === id && it.quantity === quantity;
  }

  private agree(): void {
    if (!this.isCurrent(this.current)) throw new Error('the subscription has not the terms of the model');
  }

  private boundaryAfter(at: number): number {
    for (let index = 1; ; index += 1) {
      const end = boundary(this.span, index, this.settings.timezone);
      if (end > at) return end;
    }
  }

  private termsOf({ plan, quantity }: Subscription): ModelTerms {
    const { fixture } = this;
    const own = { ...MONTHLY, ...fixture.plan, price: fixture.price ?? 30 };
    const { price, interval_unit, ...terms } = { ...own, ...fixture.plans?.[plan] };
    if (interval_unit === 'MONTH_END') throw new RangeError('the model has no calendar months');
    const price_minor = toMinor(price, 'EUR') * quantity;
    const { interval_count: count, prepay, is_prorated } = terms;
    return { price_minor, unit: interval_unit, count, parts: 1, prepay, is_prorated };
  }
}

function scriptOf(answer: Answer): ('yes' | 'hard' | 'soft' | 'auth')[] {
  return [answer === 'late' || answer === 'expires' ? 'auth' : answer];
}

function shownOf(on: Date, { kind, period_start, period_end, breakdown }: Charge): PreviewedCharge {
  const { amount } = breakdown;
  return { date: on, amount, credit_applied: 0, kind, period_start, period_end, breakdown };
}
