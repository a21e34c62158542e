import { BillingProcessor, billingJob, type BillingJob } from '@commerce/billing';
import { Handles, JobHandler, parseId, type Id } from '@commerce/platform';

/** Bills a handful of subscriptions of one company. */
@Handles(billingJob)
export class BillingJobHandler extends JobHandler<BillingJob> {
  constructor(private readonly cycle: BillingProcessor) {
    super(billingJob);
  }

  async run({ company, ids }: BillingJob): Promise<void> {
    // The job's own check has read them as ids.
    await this.cycle.runBatch(parseId(company) as Id, ids.map(parseId) as Id[]);
  }
}
