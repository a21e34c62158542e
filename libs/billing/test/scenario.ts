import { toMajor } from '@commerce/kernel';
import { newId } from '@commerce/records';

import type { TermInput } from '../src/domain/calendar/term.js';
import { decideCycle } from '../src/domain/cycle/cycle.js';
import type { Charge, Decision } from '../src/domain/cycle/decision.js';
import { settleCharge } from '../src/domain/cycle/settle.js';
import type { HoldingOf } from '../src/domain/lines/credit.js';
import type { Refund } from '../src/domain/lines/period-credits.js';
import type { PaymentKey } from '../src/domain/lines/payment-key.js';
import { LIFECYCLE } from '../src/domain/lifecycle/lifecycle.js';
import {
  isCancelledInPause,
  subscribedOf,
  type SubscriptionState,
  type SubscriptionStatus,
} from '../src/domain/lifecycle/subscription-state.js';
import type { Transition } from '../src/domain/lifecycle/transition.js';
import {
  changeSubscription,
  createSubscription,
  pauseSubscription,
  startSubscription,
  stopSubscription,
  type CreateInput,
  type StartInput,
} from '../src/domain/actions/actions.js';
import type { Subscribed, Terms } from '../src/domain/pricing/terms.js';
import {
  blankState,
  changesOf,
  type StoredState,
} from '../src/subscription-record/subscription-state.adapter.js';
import { holdAfter, holdCharge, holdInFlight, holdUntilDue } from './scenario-properties.js';
import { collectedOnce, scenarioTerms } from './scenario-terms.js';
import { MONTHLY, type ScenarioPlan, type ScenarioFixture } from './fixture.js';
import { STATUS_OF, type Outcome, type ScenarioPayment } from './scenario-payment.js';
import { date, nameOf, textOf } from './scenario-text.js';

/**
 * Plays a subscription through time against a scripted card, and checks the properties at every step. `lines` is the
 * log, one line an event.
 */
export class Scenario {
  state: SubscriptionState | null = null;
  readonly lines: string[] = [];
  readonly payments: ScenarioPayment[] = [];
  readonly plan: ScenarioPlan;
  /** The terms of the first plan. */
  readonly terms: Terms;
  readonly plans: ReadonlyMap<string, string>;
  readonly first: Subscribed;
  /** Money on the customer's balance, in minor units. */
  balance_minor = 0;
  readonly seen: SubscriptionStatus[] = [];
  readonly redeemed: string[] = [];
  price: number;
  canPay = true;
  protected readonly canPayNow: () => boolean = () => this.canPay;
  /** Outcomes of the next attempts; then `otherwise`. */
  script: Outcome[] = [];
  otherwise: Outcome = 'yes';
  now = new Date(0);

  constructor({
    plan = {},
    settings = {},
    price = 30,
    quantity = 1,
    plans = {},
    discount,
    ...more
  }: ScenarioFixture = {}) {
    this.plan = { ...MONTHLY, ...collectedOnce(plan), ...plan };
    this.price = price;
    const own = newId().toHexString();
    this.plans = new Map(Object.keys(plans).map((name) => [name, newId().toHexString()]));
    this.first = { plan: own, quantity, ...(discount && { discount }) };
    this.terms = scenarioTerms(
      { plan: this.plan, settings, plans, ...more },
      this.plans,
      () => this.price,
    )(this.first);
  }

  get current(): SubscriptionState {
    if (this.state === null) throw new Error('create it first');
    return this.state;
  }

  /** As its record shows it, amounts in major units. */
  get it(): StoredState {
    return changesOf(this.current);
  }

  create(at: string, input: Partial<CreateInput> = {}): this {
    this.now = date(at);
    const { plan } = this.terms;
    const blank = blankState(plan.currency, this.first);
    this.state = createSubscription(blank, plan, { has_payment_method: false, ...input }, this.now);
    this.seen.push(this.state.status);
    return this;
  }

  start(at: string, input: Partial<StartInput> = {}): this {
    if (this.state === null) this.create(at);
    return this.move(at, (now) =>
      startSubscription(this.current, this.currentTerms, { new_payment_method: false, ...input }, now),
    );
  }

  stop(at: string, ending?: string): this {
    const input = { ending_date: ending === undefined ? null : date(ending) };
    return this.move(at, (now) => stopSubscription(this.current, this.currentTerms, input, now));
  }

  pause(at: string, resume?: string): this {
    const input = { resume_at: resume === undefined ? null : date(resume) };
    return this.move(at, (now) => pauseSubscription(this.current, this.currentTerms, input, now));
  }

  change(at: string, input: TermInput & { new_payment_method?: boolean }): this {
    return this.move(at, (now) =>
      changeSubscription(this.current, this.currentTerms, { new_payment_method: false, ...input }, now),
    );
  }

  get currentTerms(): Terms {
    return this.terms.for(subscribedOf(this.current));
  }

  protected readonly holdingOf: HoldingOf = (key) => {
    // A period that was paid for elsewhere names a payment that is not here.
    const { paid_minor = 0, refunded_minor = 0 } = this.payments.find((one) => one.key === nameOf(key)) ?? {};
    return { free: paid_minor - refunded_minor, disputed: 0 };
  };

  /** Runs everything due up to and including `until`, each at its own date, as on a test clock; never back in time. */
  runTo(until: string | Date): this {
    const target = typeof until === 'string' ? date(until) : until;
    for (let left = 2000; left > 0; left -= 1) {
      const { due } = this.current.derived;
      if (due === null || due > target) {
        if (target > this.now) this.now = target;
        return this;
      }
      if (due > this.now) this.now = due;
      this.step(this.now);
    }
    throw new Error('it never comes to rest');
  }

  /** A worker that comes back at `at`: everything missed happens then. */
  wake(at: string): this {
    this.now = date(at);
    return this.runTo(this.now);
  }

  /** The provider finally answers the payment `key`, or answers again. */
  answer(at: string, key: string, outcome: Exclude<Outcome, 'silent'>): this {
    this.now = date(at);
    const payment = this.payments.find((one) => one.key === key);
    if (payment === undefined) throw new Error(`there is no payment ${key}`);
    this.settle(payment, outcome, this.now);
    return this;
  }

  /** Collected less refunds, in major units. */
  get net(): number {
    const sum = this.payments.reduce((minor, one) => minor + one.paid_minor - one.refunded_minor, 0);
    return toMajor(sum, this.plan.currency);
  }

  protected move(at: string, makes: (now: Date) => Transition): this {
    this.now = date(at);
    this.apply(makes(this.now), this.now);
    return this;
  }

  private step(now: Date): void {
    holdUntilDue(this.current, this.currentTerms, this.canPayNow());
    const [before, decision] = [this.current, this.decide(now)];
    if (decision.do === 'nothing') throw new Error(`due ${String(before.derived.due)}, yet nothing to do`);
    // The changes of a decision are logged before the status that it leads to; a charge is settled after it.
    const isCharge = decision.do === 'charge' || decision.do === 'retry';
    if (!isCharge) this.carryOut(decision, before, now);
    this.apply(decision, now);
    if (isCharge) this.carryOut(decision, before, now);
  }

  protected decide(now: Date): Decision {
    return decideCycle(this.current, this.currentTerms, this.canPayNow(), now, this.holdingOf);
  }

  private carryOut(
    decision: Exclude<Decision, { do: 'nothing' }>,
    before: SubscriptionState,
    now: Date,
  ): void {
    switch (decision.do) {
      case 'charge':
        if (before.status === 'CANCELLED' && !isCancelledInPause(before))
          throw new Error('charged after CANCELLED');
        this.open(decision.charge, now);
        for (const refund of decision.refunds) this.refund(refund, now);
        break;
      case 'retry':
        this.attempt(this.find(decision.payment), now);
        break;
      case 'abandon':
        this.find(decision.payment).status = 'FAILED';
        this.note(now, `give up ${nameOf(decision.payment)}: ${decision.code}`);
        break;
      case 'refund':
        for (const refund of decision.refunds) this.refund(refund, now);
        break;
      case 'change':
        break;
    }
  }

  protected open(charge: Charge, now: Date): void {
    const key = nameOf(charge);
    if (this.payments.some((one) => one.key === key)) throw new Error(`${key} is charged twice`);
    holdCharge(key, charge);
    const payment: ScenarioPayment = {
      key,
      charge,
      at: now,
      attempts: 0,
      paid_minor: 0,
      refunded_minor: 0,
      refund_keys: new Set(),
      status: 'PROCESSING',
    };
    this.payments.push(payment);
    this.attempt(payment, now);
  }

  private attempt(payment: ScenarioPayment, now: Date): void {
    payment.attempts += 1;
    payment.status = 'PROCESSING';
    const free = payment.charge.amount_minor === 0;
    const outcome = free ? 'yes' : (this.script.shift() ?? this.otherwise);
    const amount = toMajor(payment.charge.amount_minor, this.plan.currency).toFixed(2);
    this.note(now, `${payment.attempts > 1 ? 'retry' : 'charge'} ${payment.key} ${amount} ${outcome}`);
    holdInFlight(this.current, payment.charge);
    if (outcome !== 'silent') this.settle(payment, outcome, now);
  }

  protected settle(payment: ScenarioPayment, outcome: Exclude<Outcome, 'silent'>, now: Date): void {
    const status = STATUS_OF[outcome];
    payment.status = status;
    if (status === 'SUCCEEDED') payment.paid_minor = payment.charge.amount_minor;
    const decline = outcome === 'soft' || outcome === 'hard' ? outcome : null;
    const { attempts, charge } = payment;
    const result = { ...charge, status, decline, attempts } as const;
    const settled = settleCharge(this.current, this.currentTerms, result, now, this.holdingOf);
    this.apply(settled, now);
    if (settled.redeems !== null) this.redeemed.push(settled.redeems);
    for (const refund of settled.refunds) this.refund(refund, now);
  }

  protected refund({ payment: key, key: name, amount_minor: amount, to }: Refund, now: Date): void {
    const payment = this.find(key);
    const isHeld = amount > 0 && amount <= this.holdingOf(key).free;
    if (!isHeld || payment.refund_keys.has(name)) throw new Error(`${nameOf(key)} gives back ${amount}`);
    payment.refund_keys.add(name);
    payment.refunded_minor += amount;
    if (to === 'balance') this.balance_minor += amount;
    const given = toMajor(amount, this.plan.currency).toFixed(2);
    this.note(now, `${to === 'balance' ? 'credit' : 'refund'} ${nameOf(key)} ${given}`);
  }

  protected apply({ state: after, event }: Transition, now: Date): void {
    const before = this.current;
    this.state = after;
    if (before.status !== after.status) {
      const edge = LIFECYCLE.find(
        (one) => one.from === before.status && one.to === after.status && one.event === event,
      );
      if (edge === undefined)
        throw new Error(`${before.status} became ${after.status} with ${String(event)}`);
      this.seen.push(after.status);
      this.note(now, after.status);
    }
    holdAfter(after, this.currentTerms.plan);
  }

  protected find(key: PaymentKey): ScenarioPayment {
    const found = this.payments.find((one) => one.key === nameOf(key));
    if (found === undefined) throw new Error(`there is no payment ${nameOf(key)}`);
    return found;
  }

  protected readonly note = (now: Date, what: string): unknown => this.lines.push(`${textOf(now)} ${what}`);
}
