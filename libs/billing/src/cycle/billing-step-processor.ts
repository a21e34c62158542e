import { Injectable } from '@nestjs/common';
import type { Instants } from '@commerce/identity';
import { isFault, joinFields } from '@commerce/kernel';
import { PaymentWriter, isCollected, type PaymentRecord } from '@commerce/payments';
import { UnitsOfWork, type UnitOfWork } from '@commerce/data';

import { decideCycle } from '../domain/cycle/cycle.js';
import type { Decision } from '../domain/cycle/decision.js';
import type { Transition } from '../domain/lifecycle/transition.js';
import { openNamed } from '../domain/receivable/open-payments.js';
import type { Terms } from '../domain/pricing/terms.js';
import { changeBy, writeChange, type RecordChange } from '../subscriptions/subscription-change.js';
import { stateOf } from '../subscription-record/subscription-state.adapter.js';
import { chargeDraft } from '../subscriptions/charge-draft.js';
import { isOffSession } from '../subscriptions/session.js';
import type { Held } from '../subscription-record/held.js';
import { shownPayments } from '../subscription-record/shown-payments.js';
import type { SubscriptionRecord } from '../subscription-record/subscription.record.js';
import { SubscriptionStore } from '../subscription-record/subscription.store.js';
import { subscribed } from '../terms/terms-reader.js';
import { RefundReserver } from '../subscriptions/refund-reserver.js';
import { DecisionInputReader } from './decision-input-reader.js';
import { catchingUp, rememberedPeriods } from './holding.js';
import { settleImmediately } from '../subscriptions/settle-immediately.js';

/** The subscription as the step left it; stale when `sent`, because a payment was settled after it. */
export interface StepResult {
  readonly after: SubscriptionRecord;
  readonly sent: boolean;
  /** The reason to put billing on hold, in which case nothing was done. */
  readonly hold: Held | null;
}

/** The content of a step's unit of work, and the payments to send after the commit. */
interface Filled {
  readonly after: SubscriptionRecord;
  readonly payments: readonly PaymentRecord[];
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
    private readonly inputs: DecisionInputReader,
    private readonly refunds: RefundReserver,
  ) {}

  /**
   * Carries out the action with the oldest due date.
   * @throws Fault `record.conflict` and `payment.exists` when another worker was faster; those of the price
   * @throws NotSent, with nothing done, where the provider's rate limit leaves no room for this request soon
   */
  async take(before: SubscriptionRecord, read: Terms, instants: Instants): Promise<StepResult> {
    // The step before may have changed the plan.
    const terms = read.for(subscribed(before));
    const state = stateOf(before, terms.plan);
    const now = instants.business;
    const { holdingOf, canPay } = await this.inputs.read(before, state, terms, now);
    const decision = decideCycle(state, terms, canPay, now, holdingOf);
    const hold = catchingUp(before, state, decision, instants);
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
    const { after, payments } = await this.fill(work, before, terms, decision, instants);
    await this.units.commit(work);
    for (const payment of payments) await this.payments.afterCommit(payment, after);
    return { after, sent: payments.length > 0, hold: null };
  }

  /**
   * Handles a period that already has a payment. Usually another worker was faster, and the commit reports the
   * conflict; otherwise the payment was written back from the provider's books after a restore, and the subscription
   * follows it.
   */
  private async followExisting(
    before: SubscriptionRecord,
    terms: Terms,
    { charge, refunds, ...transition }: Extract<Decision, { do: 'charge' }>,
    instants: Instants,
  ): Promise<StepResult> {
    const found = await this.inputs.payment(before, charge);
    // Refunds and disputes follow a successful payment.
    const payment = isCollected(found.status) ? { ...found, status: 'SUCCEEDED' as const } : found;
    const change = changeBy(transition);
    const listed = { ...change, changes: { ...change.changes, payments: shownPayments(before, found) } };
    const settled = settleImmediately(transition.state, terms, payment, instants.business).map(changeBy);
    const work = this.units.begin(before.company, instants.business);
    this.payments.complete(work, found, charge);
    await this.refunds.reserve(work, before, refunds);
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
        return { after: write({ changes: { due: decision.due }, event: null }), payments: [] };
      }
      case 'change':
        return { after: write(changeBy(decision)), payments: [] };
      case 'charge': {
        const payment = await this.payments.open(
          work,
          chargeDraft(before, decision.charge, isOffSession(before, instants.business)),
        );
        const change = changeBy(decision);
        const periods = rememberedPeriods(before, decision, instants) ?? {};
        const payments = shownPayments(before, payment);
        const listed = { ...change, changes: joinFields(change.changes, periods, { payments }) };
        const owing = await this.refunds.reserve(work, before, decision.refunds);
        return { after: write(listed, ...settled(decision, payment)), payments: [payment, ...owing] };
      }
      case 'retry': {
        const found = await this.inputs.payment(before, decision.payment);
        const payment = await this.payments.attempt(work, found, before.payment_method, true);
        const after = write(changeBy(decision), ...settled(decision, payment));
        const isOver = payment.status === 'FAILED' && openNamed(after.open_payments, payment) === null;
        return { after, payments: [isOver ? await this.payments.release(work, payment) : payment] };
      }
      case 'abandon': {
        const found = await this.inputs.payment(before, decision.payment);
        const abandoned = this.payments.abandon(work, found, decision.code, WHY_ABANDONED);
        const payment = await this.payments.release(work, abandoned);
        return { after: write(changeBy(decision)), payments: [payment] };
      }
      case 'refund': {
        const payments = await this.refunds.reserve(work, before, decision.refunds);
        return { after: write(changeBy(decision)), payments };
      }
    }
  }
}

/** Whether the decision leads to a request to the provider after its commit. */
function asksProvider({ do: what }: Decision): boolean {
  return what === 'charge' || what === 'retry' || what === 'abandon' || what === 'refund';
}

export const WHY_ABANDONED = 'The payment was given up';
