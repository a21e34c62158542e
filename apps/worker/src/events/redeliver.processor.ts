import { DueDeliveries, redeliverJob, type RedeliverJob } from '@commerce/events';
import { Handles, JobHandler, parseId } from '@commerce/platform';

/** Sends the due deliveries of one webhook, as an operator asked. */
@Handles(redeliverJob)
export class RedeliverProcessor extends JobHandler<RedeliverJob> {
  constructor(private readonly due: DueDeliveries) {
    super(redeliverJob);
  }

  async run({ webhook }: RedeliverJob): Promise<void> {
    const id = parseId(webhook);
    if (id !== null) await this.due.ofWebhook(id);
  }
}
