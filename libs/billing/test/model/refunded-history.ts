import { partOf } from './change-model.js';
import { fraction, isAbove, least, minus, NONE, plus, total, type Fraction } from './fraction.js';
import { boundary, endOf } from './model-calendar.js';
import { ModelledHistory } from './modelled-history.js';
import type { ModelChange } from './subscription-model.js';

/** A payment, and the part of it that was not given back. */
interface Money {
  readonly key: string | null;
  rest: Fraction;
}

/** The part of a payment that was collected for the period that runs. */
interface Held {
  readonly money: Money;
  readonly amount: Fraction;
}

/** A period that a change has ended: its unused part, collected by `held`, is credited, or its used part is charged. */
interface Ended {
  readonly due: number;
  readonly unused: Fraction;
  readonly held: readonly Held[];
  readonly used: Fraction;
}

/**
 * A history in which all charges succeed and a person gives back money, which a credit that follows does not give back
 * again.
 */
export class RefundedHistory extends ModelledHistory {
  /** Unused parts that nothing was left to credit for. */
  lost: Fraction = NONE;
  /** The start of what is charged next. */
  private next = this.model.span.anchor.getTime();
  private held: Held[] = [];
  private ended: Ended[] = [];
  private readonly monies: Money[] = [];

  /** The sum of the second model, less the money that a person gave back, plus what was credited less for it. */
  get expected(): Fraction {
    return plus(minus(this.sum.exact, fraction(this.given_minor)), this.lost);
  }

  protected override refund(nth: number, percent: number): void {
    const payment = this.scenario.payments.at(-nth);
    const before = payment?.refunded_minor ?? 0;
    super.refund(nth, percent);
    const minor = (payment?.refunded_minor ?? 0) - before;
    const money = this.monies.find(({ key }) => key === payment?.key);
    if (money !== undefined) money.rest = minus(money.rest, fraction(minor));
  }

  protected override advance(last: number): void {
    super.advance(last);
    const { span, settings } = this.model;
    for (const { due } of this.ended) if (!span.terms.prepay && due <= last) this.settleDue(due, NONE);
    while (span.terms.prepay && this.next <= last && this.next < span.ends) {
      const at = this.next;
      const period = this.periodAt(at);
      this.next = period.end;
      this.settleDue(at, partOf(span, { ...period, a: at, b: period.end }, settings));
    }
  }

  protected override change(to: ModelChange, at: number): void {
    const { span: before, settings } = this.model;
    if (!this.model.change(to, at)) return;
    const { span: after } = this.model;
    const isCharged = before.terms.prepay && this.next > at;
    this.next = Math.max(at, after.anchor.getTime());
    if (at < before.anchor.getTime()) return;
    const keeps = before.anchor === after.anchor;
    const period = this.periodAt(at, before);
    const a = Math.max(period.start, before.from);
    const used = partOf(before, { ...period, a, b: at }, settings);
    const waits = keeps && !before.terms.prepay && !after.terms.prepay;
    if (isCharged) {
      const charged = partOf(before, { ...period, a, b: period.end }, settings);
      this.ended.push({ due: at, unused: minus(charged, used), held: this.held, used: NONE });
      this.held = [];
    } else {
      this.ended.push({ due: waits ? period.end : at, unused: NONE, held: [], used });
    }
    if (!waits) this.ended = this.ended.map((one) => ({ ...one, due: Math.min(one.due, at) }));
    // A change that was paid immediately has been charged, although billing has not run.
    if (this.unknownAt(at).at(-1)?.charge.slice.startsWith('change-') === true) this.advance(at);
  }

  /** Credits and charges the periods that changes have ended, together with `price` for the period that begins. */
  private settleDue(at: number, price: Fraction): void {
    const due = this.ended.filter((one) => one.due <= at);
    this.ended = this.ended.filter((one) => one.due > at);
    const rests = new Map(this.monies.map((money) => [money, money.rest]));
    const credits = due.flatMap(({ unused, held }) => creditOf(unused, held, rests));
    const credited = total(credits.map(({ amount }) => amount));
    this.lost = plus(this.lost, minus(total(due.map(({ unused }) => unused)), credited));
    const needed = plus(price, total(due.map(({ used }) => used)));
    let excess = isAbove(credited, needed) ? minus(credited, needed) : NONE;
    this.held = [];
    for (const { money, amount } of credits.reverse()) {
      const back = least(excess, amount);
      excess = minus(excess, back);
      money.rest = minus(money.rest, back);
      this.held.unshift({ money, amount: minus(amount, back) });
    }
    if (isAbove(needed, credited)) this.held.push(this.paid(at, minus(needed, credited)));
    if (!this.model.span.terms.prepay) this.held = [];
  }

  /**
   * The newest payment of the scenario at this instant; one that is rounded to nothing has none. It may collect whole
   * periods in arrears as well, which can be given back like the rest.
   */
  private paid(at: number, amount: Fraction): Held {
    const payment = this.unknownAt(at).at(-1);
    const whole = fraction(payment?.paid_minor ?? 0);
    const money = { key: payment?.key ?? null, rest: isAbove(whole, amount) ? whole : amount };
    this.monies.push(money);
    return { money, amount };
  }

  private unknownAt(at: number) {
    const known = new Set(this.monies.map(({ key }) => key));
    return this.scenario.payments.filter(
      (one) =>
        one.at.getTime() === at && one.charge.amount_minor > 0 && !known.has(one.key) && one.paid_minor > 0,
    );
  }

  private periodAt(at: number, span = this.model.span) {
    const { timezone } = this.model.settings;
    for (let index = 0; ; index += 1) {
      const end = endOf(span, index, timezone);
      if (end > at) return { index, start: boundary(span, index, timezone), end };
    }
  }
}

/** The money to credit, the oldest payment first; the newest are credited first. */
function creditOf(unused: Fraction, held: readonly Held[], rests: Map<Money, Fraction>): Held[] {
  let wanted = unused;
  const credits: Held[] = [];
  for (const { money, amount: most } of [...held].reverse()) {
    const rest = rests.get(money) ?? NONE;
    const amount = least(wanted, most, rest);
    wanted = minus(wanted, amount);
    rests.set(money, minus(rest, amount));
    credits.unshift({ money, amount });
  }
  return credits;
}
