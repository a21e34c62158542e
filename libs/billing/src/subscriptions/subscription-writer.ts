import { Injectable } from '@nestjs/common';
import { BusinessClock, type Instants, type CustomerSettings, type UserRecord } from '@commerce/identity';
import { DatabaseClock, UnitsOfWork, type CompanyRecords } from '@commerce/data';
import { JobQueue } from '@commerce/jobs';
import { type Id } from '@commerce/records';

import { billingJob, billingRequest } from '../job/billing.job.js';
import type { PaymentMethods } from '@commerce/payments';
import { requireNoDebt } from './customer-debt.js';
import { trialFor, type TrialTerms } from './customer-trial.js';
import { committed, writeChange, type RecordChange } from './subscription-change.js';
import type { SubscriptionRecord } from '../subscription-record/subscription.record.js';
import { SubscriptionStore } from '../subscription-record/subscription.store.js';

/** Decides on the current state of a subscription; `now` is the time of its customer. */
export type DecideChange = (before: SubscriptionRecord, now: Date) => Promise<RecordChange>;

/** Commits the requests of callers. Charges that fall due are queued immediately: the worker charges, not the API. */
@Injectable()
export class SubscriptionWriter {
  constructor(
    private readonly store: SubscriptionStore,
    private readonly units: UnitsOfWork,
    private readonly jobs: JobQueue,
    private readonly time: BusinessClock,
    private readonly clock: DatabaseClock,
  ) {}

  /** Commits a new subscription and its immediate consequences. `make` is called again where its human_id is in use. */
  async create(
    company: Id,
    instants: Instants,
    make: () => SubscriptionRecord,
    ...changes: readonly RecordChange[]
  ): Promise<SubscriptionRecord> {
    const after = await this.units.write(
      company,
      (work) => {
        const made = work.insert(this.store, make(), 'subscription.created');
        this.store.countRedeemed(work, made);
        return changes.length === 0 ? made : writeChange(work, this.store, made, instants, ...changes);
      },
      instants.business,
    );
    return this.queued(after);
  }

  /** Commits a change. Of concurrent callers the first commit wins; the others read and decide again. */
  async change(
    records: CompanyRecords<SubscriptionRecord>,
    id: Id | string,
    decide: DecideChange,
  ): Promise<SubscriptionRecord> {
    const after = await this.units.change(
      records,
      id,
      async (before, work) => {
        const instants = { business: work.now, real: this.clock.read() };
        const decided = committed(before, await decide(before, work.now), instants);
        const { redemption, trial, ...change } = decided;
        this.store.trial(work, before, change.changes, trial);
        if (redemption !== null) this.store.redeem(work, before, redemption, instants.real);
        return Object.keys(change.changes).length === 0 ? null : change;
      },
      { now: (before) => this.timeOf(before) },
    );
    return this.queued(after);
  }

  /** @throws Fault `user.owes` for a customer who may not subscribe before that is paid */
  requireNoDebt(
    methods: PaymentMethods,
    customers: CustomerSettings,
    { company, _id: user }: UserRecord,
  ): Promise<void> {
    return requireNoDebt(this.store, methods, customers, { company, user });
  }

  /** The terms by which a customer starts a subscription. */
  trialFor(customers: CustomerSettings, starting: Parameters<typeof trialFor>[2]): Promise<TrialTerms> {
    return trialFor(this.store, customers, starting);
  }

  /** The time of the subscription's customer. */
  async timeOf({ company, test_clock }: SubscriptionRecord): Promise<Date> {
    return this.time.now(company, test_clock);
  }

  /** Queues charges that are due immediately. */
  async queued(after: SubscriptionRecord): Promise<SubscriptionRecord> {
    const { company, _id, wake_at } = after;
    if (wake_at !== null && wake_at <= this.clock.read()) {
      await this.jobs.add(billingJob, billingRequest(company, [_id]));
    }
    return after;
  }
}
