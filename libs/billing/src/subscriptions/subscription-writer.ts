import { Injectable } from '@nestjs/common';
import { BusinessClock, type Instants } from '@commerce/identity';
import { DatabaseClock, UnitsOfWork, type CompanyRecords } from '@commerce/data';
import { JobQueue } from '@commerce/jobs';
import { type Id } from '@commerce/records';

import { billingJob, billingRequest } from '../job/billing.job.js';
import { committed, type RecordChange } from './subscription-change.js';
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

  /**
   * Commits a new subscription.
   * @throws Fault `record.conflict` where its human_id is in use
   */
  async create(record: SubscriptionRecord, now: Date): Promise<SubscriptionRecord> {
    const work = this.units.begin(record.company, now);
    const made = work.insert(this.store, record, 'subscription.created');
    this.store.countRedeemed(work, made);
    await (work.isCreation ? this.units.commit(work) : work.commit());
    return this.queued(made);
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
        const instants = this.instantsAt(work.now);
        const change = await decide(before, work.now);
        const decided = committed(before, change, instants);
        const { redemption, trial, ...after } = decided;
        this.store.trial(work, before, after.changes, trial);
        if (redemption !== null) this.store.redeem(work, before, redemption, instants.real);
        return Object.keys(after.changes).length === 0 ? null : after;
      },
      { now: (before) => this.timeOf(before) },
    );
    return this.queued(after);
  }

  /** This time of a customer, and the real one. */
  instantsAt(business: Date): Instants {
    return { business, real: this.clock.read() };
  }

  /** The times of a customer with this test clock; null for none. */
  instantsOf(company: Id, testClock: Id | null): Promise<Instants> {
    return this.time.instants(company, testClock);
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
