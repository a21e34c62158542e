import { declareJob, isIdText, readIds, type JobRequest, type Id } from '@commerce/platform';

/** So many subscriptions are read, and priced, together. */
export const BATCH = 20;

/** Some subscriptions of one company that are due. */
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

/** One job for a few subscriptions of a company; no second one while a job that begins with the same waits. */
export function billingRequest(company: Id, ids: readonly Id[]): JobRequest<BillingJob> {
  const [first] = ids;
  const data = { company: company.toHexString(), ids: ids.map((id) => id.toHexString()) };
  return { data, id: `bill-${first?.toHexString() ?? ''}-${String(ids.length)}` };
}

/** As billingHint, for one that has just been billed: its job may still run, and must not swallow this one. */
export function followUpRequest(company: Id, id: Id): JobRequest<BillingJob> {
  return { data: billingRequest(company, [id]).data };
}
