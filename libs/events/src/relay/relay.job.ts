import { declareJob, type JobRequest } from '@commerce/jobs';
import type { Id } from '@commerce/records';

/** A company has events that are not in its log yet. */
export interface RelayJob {
  readonly company: Id;
}

export const relayJob = declareJob<RelayJob>({
  queue: 'relay',
  purpose: 'puts new events of a company into its log and makes their deliveries',
  concurrency: 8,
  fields: { company: 'id' },
});

/** At most one such job of a company waits, however many events it has and however long no worker runs. */
export function relayRequest(company: Id): JobRequest<RelayJob> {
  return { data: { company }, deduplicationId: company.toHexString() };
}
