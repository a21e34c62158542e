import { DuePass, redeliverJob, type RedeliverJob } from '@commerce/events';
import { Handles, JobHandler, idOf } from '@commerce/platform';

/** Sends the due deliveries of one webhook, as an operator asked. */
@Handles(redeliverJob)
export class RedeliverProcessor extends JobHandler<RedeliverJob> {
  constructor(private readonly due: DuePass) {
    super(redeliverJob);
  }

  async run({ webhook }: RedeliverJob): Promise<void> {
    const id = idOf(webhook);
    if (id !== null) await this.due.ofWebhook(id);
  }
}
