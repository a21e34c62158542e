import { declareJob, isIdText, readIds, type JobRequest, type Id } from '@commerce/platform';

/** How many subscriptions are read and priced together. */
export const BATCH = 20;

/** Due subscriptions of one company. */
export interface BillingJob {
  readonly company: string;
  readonly ids: readonly string[];
}

const readBatch = readIds(BATCH);

export const billingJob = declareJob<BillingJob>({
  queue: 'billing',
  purpose: 'bills subscriptions that are due',
  concurrency: 4,
  read: (data) => {
    const batch = readBatch(data);
    const company: unknown = (data as { company?: unknown } | null)?.company;
    return batch !== null && isIdText(company) ? { company, ids: batch.ids } : null;
  },
});

/** One job for a batch; not added while one with the same first subscription and size is waiting. */
export function billingRequest(company: Id, ids: readonly Id[]): JobRequest<BillingJob> {
  const [first] = ids;
  const data = { company: company.toHexString(), ids: ids.map((id) => id.toHexString()) };
  return { data, id: `bill-${first?.toHexString() ?? ''}-${String(ids.length)}` };
}

/** For a subscription that has just been billed: its job may still be running and must not swallow this one. */
export function followUpRequest(company: Id, id: Id): JobRequest<BillingJob> {
  return { data: billingRequest(company, [id]).data };
}
