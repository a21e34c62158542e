import { declareJob, isIdText } from '@commerce/platform';

/** A company has events that wait for their place in its log. */
export interface RelayJob {
  readonly company: string;
}

export const relayJob = declareJob<RelayJob>({
  queue: 'relay',
  purpose: 'gives new events of a company their place in its log and makes their deliveries',
  concurrency: 8,
  read: (data) => {
    const company: unknown =
      typeof data === 'object' && data !== null ? (data as RelayJob).company : undefined;
    return isIdText(company) ? { company } : null;
  },
});
