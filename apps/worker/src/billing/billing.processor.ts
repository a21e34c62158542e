import { BillingCycle, billingJob, type BillingJob } from '@commerce/billing';
import { Handles, JobHandler, idOf, type Id } from '@commerce/platform';

/** Bills a handful of subscriptions of one company. */
@Handles(billingJob)
export class BillingProcessor extends JobHandler<BillingJob> {
  constructor(private readonly cycle: BillingCycle) {
    super(billingJob);
  }

  async run({ company, ids }: BillingJob): Promise<void> {
    // The job's own check has read them as ids.
    await this.cycle.runBatch(idOf(company) as Id, ids.map(idOf) as Id[]);
  }
}
