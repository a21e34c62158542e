import { isDeepStrictEqual } from 'node:util';

import { toMinor } from '@commerce/kernel';

import type { Charge, Decision } from '../../src/domain/cycle/decision.js';
import { isAwaited, nextDueAction } from '../../src/domain/cycle/due-actions.js';
import { changed } from '../../src/domain/lifecycle/changing.js';
import type { BilledState, SubscriptionState } from '../../src/domain/lifecycle/subscription-state.js';
import { periodKey, type BillingPeriod } from '../../src/domain/receivable/billing-period.js';
import type { Refund } from '../../src/domain/receivable/credit.js';
import { periodCharge, termsOfPeriod } from '../../src/domain/receivable/period-charge.js';
import { hasPeriods } from '../../src/domain/receivable/receivable.js';
import { ChangingScenario } from '../changing-scenario.js';
import type { ScenarioPayment } from '../scenario-payment.js';
import { nameOf } from '../scenario-text.js';
import { CreditLedger, type LedgerPayment, type Taken } from './credit-ledger.js';

/** The credit that a settlement is for, before it is known what is left to give back. */
type Wanted = readonly [of: string, minor: number];

/**
 * A scenario whose credits a ledger follows. The scenario says when a period is settled and for how much, which the sum
 * of all charges verifies; the ledger alone says what is written off and which payments give back how much.
 */
export class LedgerScenario extends ChangingScenario {
  readonly ledger = new CreditLedger();
  private readonly opened = new Map<string, LedgerPayment>();
  /** Credits of the change that waits for its payment. */
  private awaited: Wanted[] = [];

  override giveBack(key: string, amount: number): this {
    this.ledger.giveBack(key, toMinor(amount, this.plan.currency));
    return super.giveBack(key, amount);
  }

  /** Nothing else is owed than the ledger says. */
  agree(): void {
    const { outstanding_amount_minor: owed } = this.current.receivable;
    if (owed === this.ledger.outstanding_minor) return;
    throw new Error(`${owed} owed, not ${this.ledger.outstanding_minor}:\n${this.lines.join('\n')}`);
  }

  protected override decide(now: Date): Decision {
    this.agree();
    const decision = super.decide(now);
    if (decision.do === 'abandon') this.abandoned(nameOf(decision.payment), decision.code);
    const item = nextDueAction(this.current, this.currentTerms.plan);
    if (item?.do === 'settle_prorations') this.settlePeriod(item.state, item.period, decision);
    if (item?.do === 'finish') this.settlePeriod(item.state, item.state.receivable.period, decision);
    if (item?.do === 'settle_change' || item?.do === 'charge_period') {
      this.settleChange(this.wantedBy(item.state, now), decision);
    }
    return decision;
  }

  protected override open(charge: Charge, now: Date): void {
    const { current } = this;
    const key = nameOf(charge);
    const setup = charge.breakdown.parts.filter(({ kind }) => kind === 'setup');
    const fee_minor = setup.reduce((sum, { amount }) => sum + toMinor(amount, this.plan.currency), 0);
    const own_minor = charge.amount_minor - charge.debt_minor - fee_minor;
    const of = current.receivable.open_payment?.of ?? null;
    this.opened.set(key, { key, ...charge, of, own_minor });
    if (isAwaited(current)) {
      const { pending_change: pending } = current;
      const before = { ...current, pending_change: null };
      this.awaited = this.wantedBy(changed(before, this.currentTerms, pending, now), now);
    }
    super.open(charge, now);
  }

  protected override settle(
    payment: ScenarioPayment,
    outcome: 'yes' | 'soft' | 'hard' | 'auth',
    now: Date,
  ): void {
    const { current: before } = this;
    const { open_payment: open } = before.receivable;
    const opened = this.opened.get(payment.key);
    const isOpen = open !== null && nameOf(open) === payment.key;
    super.settle(payment, outcome, now);
    if (opened === undefined || outcome === 'auth') return;
    const isForChange = opened.key.includes('change-');
    if (outcome !== 'yes') {
      const isOver = before.status === 'CANCELLED' && !('paused_at' in before);
      if (isOpen && this.current.receivable.open_payment === null && !isForChange && !isOver) {
        this.ledger.fail(opened);
      }
    } else if (isOpen && isForChange) {
      const credits = this.awaited.flatMap(([of, minor]) => this.ledger.credit(of, minor));
      if (opened.of !== null) this.ledger.move(credits, opened.of);
      this.ledger.pay(opened, liveIn(this.current));
    } else if (isOpen) {
      this.ledger.pay(opened, liveIn(before));
    } else {
      const owing = isForChange ? 0 : opened.amount_minor;
      this.ledger.payLate(opened.key, owing, open?.debt_minor ?? 0, liveIn(before));
    }
  }

  private abandoned(key: string, code: string): void {
    const payment = this.opened.get(key);
    if (payment === undefined || key.includes('change-') || code === 'payment.not_owed') return;
    this.ledger.fail(payment);
  }

  /** A pause, a resume or a stop: its credit goes back in full. */
  private settlePeriod(state: BilledState, period: BillingPeriod | null, decision: Decision): void {
    if (period === null) return;
    const wanted = this.creditOf(state, period, settledIn(decision, period));
    const credits = wanted > 0 ? this.ledger.credit(periodKey(period), wanted) : [];
    this.expectRefunds(decision, credits);
  }

  /** A change: its credits pay for the charge that comes with it, and the newest money beyond it goes back. */
  private settleChange(wanted: readonly Wanted[], decision: Decision): void {
    const credits = wanted.map(([of, minor]) => this.ledger.credit(of, minor));
    let excess = refundsOf(decision).reduce((sum, [, minor]) => sum + minor, 0);
    const [refunds, moved]: [Taken[], Taken[]] = [[], []];
    for (const [key, minor] of credits.reverse().flat()) {
      const back = Math.min(excess, minor);
      excess -= back;
      if (back > 0) refunds.push([key, back]);
      if (minor > back) moved.push([key, minor - back]);
    }
    this.expectRefunds(decision, refunds);
    if (decision.do === 'nothing' || !hasPeriods(decision.state.receivable)) return;
    const { period } = decision.state.receivable;
    if (period !== null && period.base_minor !== null) this.ledger.move(moved, periodKey(period));
  }

  private wantedBy(state: BilledState, now: Date): Wanted[] {
    return state.receivable.ended_periods
      .filter((one) => one.changed !== undefined && one.changed.due <= now)
      .map((one): Wanted => [periodKey(one), this.creditOf(state, one, one.cuts.length)])
      .filter(([, minor]) => minor > 0);
  }

  private creditOf({ schedule, subscribed }: BilledState, period: BillingPeriod, upTo: number): number {
    const terms = termsOfPeriod(this.terms.for(subscribed), period);
    return 0 - periodCharge(schedule, terms, period, upTo).amount_minor;
  }

  private expectRefunds(decision: Decision, expected: readonly Taken[]): void {
    const made = refundsOf(decision);
    if (isDeepStrictEqual(made, expected)) return;
    const text = [made, expected].map((one) => JSON.stringify(one)).join(' given back, not ');
    throw new Error(`${text}:\n${this.lines.join('\n')}`);
  }
}

function refundsOf(decision: Decision): Taken[] {
  if (decision.do !== 'refund') return [];
  return decision.refunds.map(({ payment, amount_minor }: Refund): Taken => [nameOf(payment), amount_minor]);
}

/** The cuts that the period has settled after a decision; all, where it is gone. */
function settledIn(decision: Decision, period: BillingPeriod): number {
  if (decision.do === 'nothing') return period.settled;
  const { receivable } = decision.state;
  const after = hasPeriods(receivable) ? receivable.period : null;
  const isRunning = after !== null && periodKey(after) === periodKey(period);
  return isRunning ? after.settled : period.cuts.length;
}

/** The period that runs, and those that ended before and are not settled. */
function liveIn({ receivable }: SubscriptionState): string[] {
  if (!hasPeriods(receivable)) return [];
  const { period, ended_periods } = receivable;
  return [...new Set([...(period === null ? [] : [period]), ...ended_periods].map(periodKey))];
}
