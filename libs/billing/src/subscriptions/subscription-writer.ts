import { Injectable } from '@nestjs/common';
import { JobQueue, UnitsOfWork } from '@commerce/platform';

import { billingRequest, billingJob } from './billing.job.js';
import { writeChange, type Instants, type RecordChange } from './subscription-change.js';
import type { SubscriptionRecord } from './subscription.record.js';
import { SubscriptionStore } from './subscription.store.js';

/** Commits what callers ask for, and has billed at once what is due with it: the worker charges, not the API. */
@Injectable()
export class SubscriptionWriter {
  constructor(
    private readonly store: SubscriptionStore,
    private readonly units: UnitsOfWork,
    private readonly jobs: JobQueue,
  ) {}

  /** A new subscription, and what follows in the same commit. */
  async insert(
    record: SubscriptionRecord,
    instants: Instants,
    ...changes: readonly RecordChange[]
  ): Promise<SubscriptionRecord> {
    const work = this.units.begin(record.company, instants.reached);
    const made = work.insert(this.store, record, 'subscription.created');
    const after = changes.length === 0 ? made : writeChange(work, this.store, made, instants, ...changes);
    await work.commit();
    return this.kicked(after, instants);
  }

  /** The commit throws `record.conflict` when another writer was quicker. */
  async update(
    before: SubscriptionRecord,
    instants: Instants,
    change: RecordChange,
  ): Promise<SubscriptionRecord> {
    const work = this.units.begin(before.company, instants.reached);
    const after = writeChange(work, this.store, before, instants, change);
    await work.commit();
    return this.kicked(after, instants);
  }

  private async kicked(after: SubscriptionRecord, { reached }: Instants): Promise<SubscriptionRecord> {
    const { company, _id, due } = after;
    if (due !== null && due <= reached) await this.jobs.add(billingJob, billingRequest(company, [_id]));
    return after;
  }
}
