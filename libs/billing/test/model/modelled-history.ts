import { isFault, toMajor, toMinor } from '@commerce/kernel';

import type { PreviewedCharge } from '../../src/domain/cycle/preview.js';
import type { Discount } from '../../src/domain/pricing/discount.js';
import { HOUR, iso } from '../random-scenario.js';
import { date } from '../scenario-text.js';
import type { Sum } from './change-model.js';
import { fraction, plus } from './fraction.js';
import { discountOf } from './given-discount.js';
import { LedgerScenario } from './ledger-scenario.js';
import { scriptOf, type Act, type Answer, type Coupon, type Gap, type Step } from './random-changes.js';
import { chargedThrough, hasBegunAt, shownOf } from './seen-billing.js';
import { ModelSetupFee } from './model-setup-fee.js';
import { termOf, type ModelFixture } from './model-end.js';
import { SubscriptionModel, type ModelChange } from './subscription-model.js';

type Change = Extract<Act, { do: 'change' }>;

/** A change at a date to come. */
interface Pending {
  readonly to: Change;
  readonly at: number;
}

/** A subscription and the second model of it, which follow one history. */
export class ModelledHistory {
  readonly scenario: LedgerScenario;
  /** Given back by a person. */
  given_minor = 0;
  protected readonly model: SubscriptionModel;
  private at: number;
  private pending: Pending | null = null;
  private readonly setup: ModelSetupFee;
  /** Coupons that changes have brought. */
  private codes = 0;

  constructor(fixture: ModelFixture, start: string, given: Coupon | null = null) {
    // The ids of plans are not known yet.
    const coupon = given && { ...given, plans: null };
    const discount = coupon && { discount: discountOf(coupon, null) };
    this.scenario = new LedgerScenario({ ...fixture, ...discount });
    this.model = new SubscriptionModel(fixture, date(start), coupon);
    this.setup = new ModelSetupFee(fixture);
    this.at = date(start).getTime();
    this.scenario.start(start, fixture.end && termOf(fixture.end, this.at));
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
    const change = [iso(at), { plan, quantity }, input] as const;
    try {
      const shown = scenario.previewChange(...change);
      return this.compared(shown, () => scenario.changePlan(...change));
    } catch (error) {
      if (!isFault(error)) throw error;
      return [];
    }
  }

  /** The upcoming charges, and those that follow; none while a payment is open. */
  upcoming(): readonly (readonly PreviewedCharge[])[] {
    const { open_payment } = this.scenario.it;
    return open_payment === null ? this.compared(this.scenario.upcoming()) : [];
  }

  /** Runs until every cut is settled; billing succeeds from now on. */
  settle(): this {
    const { model } = this;
    this.scenario.otherwise = 'yes';
    if (this.pending !== null) this.run(Math.max(this.at, this.pending.at), true);
    if (model.stopsAt !== null) this.run(Math.max(this.at, model.stopsAt), true);
    // Up to its own end, if that is near.
    const { ends } = model.span;
    for (let left = 10; left > 0 && ends < Infinity && this.at < ends; left -= 1) {
      this.run(model.boundaryAfter(this.at), true);
    }
    this.run(model.boundaryAfter(model.boundaryAfter(this.at)), true);
    return this;
  }

  /** Collected, less all that was given back, plus debt: minor units. */
  get net_minor(): number {
    const { net, it } = this.scenario;
    return toMinor(net, 'EUR') + toMinor(it.outstanding_amount, 'EUR');
  }

  /** The sum that the second model expects. */
  get sum(): Sum {
    const { exact, cuts } = this.model.sumBy(this.at);
    return { exact: plus(exact, fraction(this.setup.charged_minor)), cuts };
  }

  /** All charges due by `last` have been made. */
  protected advance(last: number): void {
    if (last < this.at - 1) throw new RangeError('time runs forward');
  }

  /** The model of a change at `at`. */
  protected change(to: ModelChange, at: number): void {
    if (this.isInTrial(at)) this.setup.exchange(to.plan);
    this.model.change(to, at);
  }

  protected refund(nth: number, percent: number): void {
    const payment = this.scenario.payments.at(-nth);
    if (payment === undefined) return;
    const minor = Math.floor(((payment.paid_minor - payment.refunded_minor) * percent) / 100);
    this.given_minor += minor;
    this.scenario.giveBack(payment.key, toMajor(minor, 'EUR'));
  }

  private compared(shown: readonly PreviewedCharge[], act: () => unknown = () => null) {
    const { scenario } = this;
    const before = scenario.payments.length;
    act();
    const charged = scenario.runTo(shown.at(-1)?.date ?? scenario.now).payments.slice(before);
    return [shown, charged.slice(0, shown.length).map(({ at: on, charge }) => shownOf(on, charge))];
  }

  private after(gap: Gap): number {
    if (gap === 'boundary') return this.model.boundaryAfter(this.at);
    return this.at + (gap === 'none' ? 0 : gap * HOUR);
  }

  private run(to: number, swept: boolean): void {
    const last = swept ? to : to - 1;
    if (to > this.at || swept) {
      this.scenario.runTo(new Date(last));
      this.setup.charge(this.model.current.plan);
    }
    const { pending } = this;
    if (pending !== null && this.model.pausedAt === null && pending.at <= last) {
      this.advance(pending.at - 1);
      this.takeEffect(pending, pending.at);
    }
    this.advance(last);
    this.at = to;
  }

  /** A change that would take effect after the end of the subscription has no effect. */
  private takeEffect({ to }: Pending, at: number): void {
    this.pending = null;
    if (this.model.span.ends <= at) return;
    this.change(to, at);
    this.agree();
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
      case 'uncoupon':
        this.scenario.endDiscount(iso(this.at));
        this.model.removeCoupon(this.at, chargedThrough(this.scenario.current));
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
      case 'late':
        this.succeedLate(act.nth);
        break;
      case 'refund':
        this.refund(act.nth, act.percent);
        break;
    }
  }

  private pause(): void {
    const isEntered = hasBegunAt(this.scenario.current, this.at);
    this.scenario.pause(iso(this.at));
    this.model.pause(this.at, isEntered);
  }

  private stop(ahead: number | null): void {
    const isEntered = ahead === null && hasBegunAt(this.scenario.current, this.at);
    const date = this.at + (ahead ?? 0) * HOUR;
    this.scenario.stop(iso(this.at), ahead === null ? undefined : iso(date));
    this.pending = null;
    if (ahead === null && (this.model.pausedAt !== null || this.isInTrial(this.at))) this.setup.cancel();
    this.model.stop(date, isEntered);
  }

  private start(reanchor: boolean): void {
    const { at, pending, model } = this;
    this.scenario.start(iso(at), { reanchor });
    if (model.pausedAt === null) {
      model.restart();
      return;
    }
    model.resume(at, reanchor);
    if (pending !== null && pending.at <= at) this.takeEffect(pending, at);
  }

  private isInTrial(at: number): boolean {
    return at < this.model.span.anchor.getTime();
  }

  private succeedLate(nth: number): void {
    const { payments, it } = this.scenario;
    const isAwaited = it.pending_change?.state === 'AWAITING_PAYMENT';
    const unpaid = payments.filter(({ paid_minor, charge }) => paid_minor === 0 && charge.amount_minor > 0);
    const payment = unpaid.at(-nth);
    if (payment === undefined || (isAwaited && payment === unpaid.at(-1))) return;
    this.scenario.answer(iso(this.at), payment.key, 'yes');
  }

  private changePlan(act: Change): void {
    const { plan, quantity, ahead, more, answer, coupon } = act;
    const { scenario, at } = this;
    const when = typeof ahead === 'number' ? new Date(at + ahead * HOUR) : ahead;
    const discount = coupon && this.discountOf(coupon);
    const input = { ...more, at: when, ...(discount && { discount }) };
    if (more.collect === 'first' && ahead === 'now') scenario.script = scriptOf(answer);
    try {
      scenario.changePlan(iso(at), { plan, quantity }, input);
    } finally {
      scenario.script = [];
    }
    this.pending = null;
    if (this.model.pausedAt !== null) {
      this.pending = { to: act, at: when instanceof Date ? when.getTime() : at };
      return;
    }
    if (when !== 'now') {
      const due = when === 'period_end' ? this.model.boundaryAfter(at) : when.getTime();
      if (scenario.it.pending_change?.at?.getTime() !== due) throw new Error('it changes at another date');
      this.pending = { to: act, at: due };
      return;
    }
    if (scenario.it.pending_change !== null) this.answer(answer);
    if (this.isCurrent(act) && this.hasDiscount(discount)) this.change(act, at);
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

  private isCurrent({ plan, quantity }: Pick<ModelChange, 'plan' | 'quantity'>): boolean {
    const { it } = this.scenario;
    return it.plan.toHexString() === this.idOf(plan) && it.quantity === quantity;
  }

  /** A change to the same plan and quantity shows by its coupon alone whether it took effect. */
  private hasDiscount(discount: Discount | null | undefined): boolean {
    return !discount || this.scenario.current.subscribed.discount?.code === discount.code;
  }

  private agree(): void {
    if (!this.isCurrent(this.model.current))
      throw new Error('the subscription has not the terms of the model');
  }

  private idOf(plan: string): string {
    return this.scenario.plans.get(plan) ?? this.scenario.first.plan;
  }

  private discountOf(coupon: Coupon): Discount {
    this.codes += 1;
    const discount = discountOf(coupon, coupon.plans?.map((plan) => this.idOf(plan)) ?? null);
    return { ...discount, code: `SUMMER${String(this.codes)}` };
  }
}
