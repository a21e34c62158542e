import { declareJob, type JobRequest } from '@commerce/jobs';
import { distinctIds, type Id } from '@commerce/records';

/** A webhook has due deliveries. */
export interface DeliverJob {
  readonly webhook: Id;
}

export const deliverJob = declareJob<DeliverJob>({
  queue: 'deliver',
  purpose: 'sends the due deliveries of one webhook',
  concurrency: 8,
  fields: { webhook: 'id' },
});

/** At most one such job of a webhook waits, however many of its deliveries are due. */
export function deliverRequests(due: readonly { readonly webhook: Id }[]): JobRequest<DeliverJob>[] {
  const webhooks = distinctIds(due.map(({ webhook }) => webhook));
  return webhooks.map((webhook) => ({ data: { webhook }, deduplicationId: webhook.toHexString() }));
}
