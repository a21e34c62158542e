import { Injectable } from '@nestjs/common';
import type { Instants } from '@commerce/identity';
import { isFault } from '@commerce/kernel';
import {
  PaymentMethods,
  PaymentStore,
  PaymentWriter,
  isCollected,
  type PaymentDraft,
  type PaymentRecord,
} from '@commerce/payments';
import { UnitsOfWork, type UnitOfWork } from '@commerce/data';

import { decideCycle } from '../domain/cycle/cycle.js';
import type { Charge, Decision } from '../domain/cycle/decision.js';
import type { Refund } from '../domain/receivable/credit.js';
import type { PaymentKey } from '../domain/receivable/open-payment.js';
import type { Transition } from '../domain/lifecycle/transition.js';
import type { Terms } from '../domain/pricing/terms.js';
import { changeBy, writeChange, type RecordChange } from '../subscriptions/subscription-change.js';
import { stateOf } from '../subscription-record/subscription-state.adapter.js';
import { isOffSession } from '../subscriptions/session.js';
import type { Held } from '../subscription-record/held.js';
import { shownPayments } from '../subscription-record/shown-payments.js';
import type { SubscriptionRecord } from '../subscription-record/subscription.record.js';
import { SubscriptionStore } from '../subscription-record/subscription.store.js';
import { catchingUp, rememberedPeriods } from './holding.js';
import { settleImmediately } from './settle-immediately.js';

/** The subscription as the step left it; stale when `sent`, because a payment was settled after it. */
export interface StepResult {
  readonly after: SubscriptionRecord;
  readonly sent: boolean;
  /** The reason to put billing on hold, in which case nothing was done. */
  readonly hold: Held | null;
}

/** The content of a step's unit of work, and the payment to send after the commit. */
interface Filled {
  readonly after: SubscriptionRecord;
  readonly payment: PaymentRecord | null;
}

/**
 * One step of the billing of one subscription: decide, commit, and only then call the card provider. A payment is
 * stored before its money is requested, so the payment reconciler can continue after a crash at any line.
 */
@Injectable()
export class BillingStepProcessor {
  constructor(
    private readonly store: SubscriptionStore,
    private readonly units: UnitsOfWork,
    private readonly payments: PaymentWriter,
    private readonly paymentStore: PaymentStore,
    private readonly methods: PaymentMethods,
  ) {}

  /**
   * Carries out the action with the oldest due date.
   * @throws Fault `record.conflict` and `payment.exists` when another worker was faster; those of the price
   * @throws NotSent, with nothing done, where the provider's rate limit leaves no room for this request soon
   */
  async take(before: SubscriptionRecord, terms: Terms, instants: Instants): Promise<StepResult> {
    const canPay = before.in_trial && (await this.canPay(before));
    const state = stateOf(before, terms.plan);
    const decision = decideCycle(state, terms, canPay, instants.business);
    const hold = catchingUp(before, state, terms.plan, decision, instants);
    if (hold !== null) return { after: before, sent: false, hold };
    const carryOut = (): Promise<StepResult> => this.carryOut(before, terms, decision, instants);
    try {
      return await (asksProvider(decision) ? this.payments.begin(before, carryOut) : carryOut());
    } catch (error) {
      if (decision.do !== 'charge' || !isFault(error, 'payment.exists')) throw error;
      return this.followExisting(before, terms, decision, instants);
    }
  }

  private async carryOut(
    before: SubscriptionRecord,
    terms: Terms,
    decision: Decision,
    instants: Instants,
  ): Promise<StepResult> {
    const work = this.units.begin(before.company, instants.business);
    const { after, payment } = await this.fill(work, before, terms, decision, instants);
    await this.units.commit(work);
    if (payment === null) return { after, sent: false, hold: null };
    await this.payments.afterCommit(payment, after);
    return { after, sent: true, hold: null };
  }

  /**
   * Handles a period that already has a payment. Usually another worker was faster, and the commit reports the
   * conflict; otherwise the payment was written back from the provider's books after a restore, and the subscription
   * follows it.
   */
  private async followExisting(
    before: SubscriptionRecord,
    terms: Terms,
    { charge, ...transition }: Extract<Decision, { do: 'charge' }>,
    instants: Instants,
  ): Promise<StepResult> {
    const found = await this.paymentOf(before, charge);
    // Refunds and disputes follow a successful payment.
    const payment = isCollected(found.status) ? { ...found, status: 'SUCCEEDED' as const } : found;
    const change = changeBy(transition);
    const listed = { ...change, changes: { ...change.changes, payments: shownPayments(before, found) } };
    const settled = settleImmediately(transition.state, terms, payment, instants.business).map(changeBy);
    const work = this.units.begin(before.company, instants.business);
    this.payments.complete(work, found, charge);
    const after = writeChange(work, this.store, before, instants, listed, ...settled);
    await this.units.commit(work);
    return { after, sent: false, hold: null };
  }

  private async fill(
    work: UnitOfWork,
    before: SubscriptionRecord,
    terms: Terms,
    decision: Decision,
    instants: Instants,
  ): Promise<Filled> {
    const write = (...all: RecordChange[]): SubscriptionRecord =>
      writeChange(work, this.store, before, instants, ...all);
    const settled = ({ state }: Transition, payment: PaymentRecord): RecordChange[] =>
      settleImmediately(state, terms, payment, instants.business).map(changeBy);
    switch (decision.do) {
      case 'nothing': {
        if (decision.due !== null && decision.due <= instants.business)
          throw new Error('billing is due, yet has nothing to do');
        return { after: write({ changes: { due: decision.due }, event: null }), payment: null };
      }
      case 'change':
        return { after: write(changeBy(decision)), payment: null };
      case 'charge': {
        const payment = await this.payments.open(work, draftOf(before, decision.charge, instants.business));
        const change = changeBy(decision);
        const payments = shownPayments(before, payment);
        const remembered = rememberedPeriods(before, decision, instants);
        const listed = { ...change, changes: { ...change.changes, ...remembered, payments } };
        return { after: write(listed, ...settled(decision, payment)), payment };
      }
      case 'retry': {
        const found = await this.paymentOf(before, decision.payment);
        const payment = await this.payments.attempt(work, found, before.payment_method, true);
        const after = write(changeBy(decision), ...settled(decision, payment));
        const isOver = payment.status === 'FAILED' && after.open_payment === null;
        return { after, payment: isOver ? await this.payments.release(work, payment) : payment };
      }
      case 'abandon': {
        const found = await this.paymentOf(before, decision.payment);
        const abandoned = this.payments.abandon(work, found, decision.code, WHY_ABANDONED);
        const payment = await this.payments.release(work, abandoned);
        return { after: write(changeBy(decision)), payment };
      }
      case 'refund':
        return {
          after: write(changeBy(decision)),
          payment: await this.refund(work, before, decision.refund),
        };
    }
  }

  /** Reserves the refund, capped at the rest of the payment; null when nothing is left. */
  private async refund(
    work: UnitOfWork,
    subscription: SubscriptionRecord,
    refund: Refund,
  ): Promise<PaymentRecord | null> {
    const payment = await this.paymentOf(subscription, refund.payment);
    const reserved = await this.payments.refund(work, payment, refund);
    return reserved === payment ? null : reserved;
  }

  private async paymentOf(
    { company, _id }: SubscriptionRecord,
    { kind, slice }: PaymentKey,
  ): Promise<PaymentRecord> {
    const found = await this.paymentStore.in(company).one({ subscription: _id, order: null, kind, slice });
    if (found === null) throw new Error(`a subscription has lost its payment ${kind}/${slice}`);
    return found;
  }

  private async canPay({ company, user, payment_method }: SubscriptionRecord): Promise<boolean> {
    return (await this.methods.usable(company, user, payment_method)) !== null;
  }
}

/** Whether the decision leads to a request to the provider after its commit. */
function asksProvider({ do: what }: Decision): boolean {
  return what === 'charge' || what === 'retry' || what === 'abandon' || what === 'refund';
}

export const WHY_ABANDONED = 'The payment was given up';

function draftOf(subscription: SubscriptionRecord, charge: Charge, now: Date): PaymentDraft {
  const { company, user, _id, currency, payment_method, test_clock } = subscription;
  const owed = { company, user, subscription: _id, order: null, currency, payment_method, test_clock };
  return { ...charge, ...owed, off_session: isOffSession(subscription, now) };
}
