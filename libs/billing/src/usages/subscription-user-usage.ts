import { Injectable } from '@nestjs/common';
import {
  BusinessClock,
  UsesUsers,
  type RunningUsages,
  type UserRecord,
  type UserUsage,
} from '@commerce/identity';
import type { UnitOfWork } from '@commerce/data';

import { endSubscription } from '../domain/actions/end-now.js';
import { changeBy, writeChange } from '../subscriptions/subscription-change.js';
import { stateOf } from '../subscription-record/subscription-state.adapter.js';
import { SubscriptionStore } from '../subscription-record/subscription.store.js';
import { TermsReader } from '../terms/terms-reader.js';

/** The subscriptions that run for a user. */
@Injectable()
@UsesUsers()
export class SubscriptionUserUsage implements UserUsage {
  constructor(
    private readonly store: SubscriptionStore,
    private readonly terms: TermsReader,
    private readonly time: BusinessClock,
  ) {}

  running({ company, _id }: UserRecord, limit: number): Promise<RunningUsages> {
    return this.store.runningOf(company, _id, limit);
  }

  /** Cancels subscriptions of the user, including those that were never started. */
  async stop(work: UnitOfWork, { company, _id, test_clock }: UserRecord, limit: number): Promise<boolean> {
    const found = await this.store.toStopOf(company, _id, limit + 1);
    if (found.length === 0) return true;
    const instants = await this.time.instants(company, test_clock);
    const stopping = found.slice(0, limit);
    const termsOf = await this.terms.forMany(company, stopping);
    for (const one of stopping) {
      const terms = termsOf(one);
      const ended = endSubscription(stateOf(one, terms.plan), terms, instants.business);
      if (ended !== null) writeChange(work, this.store, one, instants, changeBy(ended));
    }
    return found.length <= limit;
  }
}
