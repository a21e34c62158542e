import { Injectable } from '@nestjs/common';
import { retryOnConflict, sameId, type Caller, type Id } from '@commerce/platform';

import { BillingClock } from './billing-clock.js';
import { TermsReader } from './terms-reader.js';
import type { Transition } from '../domain/cycle/decision.js';
import { movesFrom, stateConflict } from '../domain/lifecycle/lifecycle.js';
import {
  changeSubscription,
  pauseSubscription,
  startSubscription,
  stopSubscription,
} from '../domain/lifecycle/moves.js';
import type { Terms } from '../domain/lifecycle/subscription-terms.js';
import { Subscribers } from './subscriber.service.js';
import type {
  PauseSubscriptionBody,
  StartSubscriptionBody,
  StopSubscriptionBody,
  UpdateSubscriptionBody,
} from './subscription.bodies.js';
import type { RecordChange } from './subscription-change.js';
import { SubscriptionReader } from './subscription-reader.js';
import type { SubscriptionRecord } from './subscription.record.js';
import { SubscriptionWriter } from './subscription-writer.js';

/** Decides from the subscription as it is; the answer is committed only while it still is so. */
type Rule = (before: SubscriptionRecord, terms: Terms, now: Date) => RecordChange;

/**
 * The moves of subscriptions. Of callers that race for one, the first commit wins; the others read again, and the
 * rules refuse what is no longer possible.
 */
@Injectable()
export class Subscriptions {
  constructor(
    private readonly reading: SubscriptionReader,
    private readonly subscribers: Subscribers,
    private readonly terms: TermsReader,
    private readonly instants: BillingClock,
    private readonly writer: SubscriptionWriter,
  ) {}

  async start(caller: Caller, id: string, body: StartSubscriptionBody): Promise<SubscriptionRecord> {
    const { payment_method: given, ...term } = body;
    return this.change(caller, id, given, (before, terms, now) => {
      const input = { ...term, new_payment_method: isNew(before, given) };
      return withMethod(given, startSubscription(before, terms, input, now));
    });
  }

  async stop(caller: Caller, id: string, body: StopSubscriptionBody): Promise<SubscriptionRecord> {
    return this.change(caller, id, undefined, (before, terms, now) =>
      stopSubscription(before, terms, body, now),
    );
  }

  async pause(caller: Caller, id: string, body: PauseSubscriptionBody): Promise<SubscriptionRecord> {
    return this.change(caller, id, undefined, (before, terms, now) =>
      pauseSubscription(before, terms, body, now),
    );
  }

  async update(caller: Caller, id: string, body: UpdateSubscriptionBody): Promise<SubscriptionRecord> {
    const { payment_method: given, note, ...input } = body;
    return this.change(caller, id, given, (before, terms, now) => {
      const change = { ...input, new_payment_method: isNew(before, given) };
      const { changes, event } = withMethod(given, changeSubscription(before, terms, change, now));
      return { changes: note === undefined ? changes : { ...changes, note }, event };
    });
  }

  /** Only what never ran, or has ended, can be deleted. */
  async delete(caller: Caller, id: string): Promise<SubscriptionRecord> {
    return this.change(caller, id, undefined, (before, _terms, now) => {
      const ended = before.status === 'COMPLETED' || before.status === 'CANCELLED';
      if ((before.status !== 'CREATED' && !ended) || before.open_payment !== null) {
        const message = `A subscription that is ${before.status} cannot be deleted: stop it first`;
        throw stateConflict(before, message, movesFrom(before, now));
      }
      return { changes: { deleted: true, due: null }, event: 'subscription.deleted' };
    });
  }

  /** Makes a subscription pay by another method, in the name of its company. */
  async payBy(company: Id, id: Id, method: Id): Promise<void> {
    await retryOnConflict(async () => {
      const before = await this.reading.ofCompany(company, id);
      const terms = await this.terms.ofPlan(company, before.plan);
      const instants = await this.instants.of(before);
      const input = { new_payment_method: isNew(before, method) };
      const transition = changeSubscription(before, terms, input, instants.reached);
      await this.writer.update(before, instants, withMethod(method, transition));
    });
  }

  private async change(
    caller: Caller,
    id: string,
    method: Id | null | undefined,
    rule: Rule,
  ): Promise<SubscriptionRecord> {
    const found = await this.reading.toWrite(caller, id);
    if (method) await this.subscribers.requireOwn(caller.company, found.user, method);
    const terms = await this.terms.ofPlan(caller.company, found.plan);
    let before: SubscriptionRecord | null = found;
    return retryOnConflict(async () => {
      const current = before ?? (await this.reading.toWrite(caller, id));
      before = null;
      const instants = await this.instants.of(current);
      return this.writer.update(current, instants, rule(current, terms, instants.reached));
    });
  }
}

function isNew(before: SubscriptionRecord, given: Id | null | undefined): boolean {
  return given !== undefined && given !== null && !sameId(given, before.payment_method);
}

/** `undefined` leaves the payment method as it is. */
function withMethod(given: Id | null | undefined, { changes, event }: Transition): RecordChange {
  return { changes: given === undefined ? changes : { ...changes, payment_method: given }, event };
}
