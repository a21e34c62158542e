import { declareJob, type JobRequest } from '@commerce/jobs';
import { isIdText } from '@commerce/records';

/** A company has events that are not in its log yet. */
export interface RelayJob {
  readonly company: string;
}

export const relayJob = declareJob<RelayJob>({
  queue: 'relay',
  purpose: 'puts new events of a company into its log and makes their deliveries',
  concurrency: 8,
  read: (data) => {
    const company: unknown =
      typeof data === 'object' && data !== null ? (data as RelayJob).company : undefined;
    return isIdText(company) ? { company } : null;
  },
});

/** At most one such job of a company waits, however many events it has and however long no worker runs. */
export function relayRequest(company: string): JobRequest<RelayJob> {
  return { data: { company }, deduplicationId: company };
}
