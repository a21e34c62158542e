import { declareJob, type JobRequest } from '@commerce/jobs';
import type { Id } from '@commerce/records';

/** Number of subscriptions that are read and priced together. */
export const BATCH = 20;

/** Due subscriptions of one company. */
export interface BillingJob {
  readonly company: Id;
  readonly ids: readonly Id[];
}

export const billingJob = declareJob<BillingJob>({
  queue: 'billing',
  purpose: 'bills subscriptions that are due',
  // Enough batches to keep CHARGES_AT_ONCE busy while some of them come to their end.
  concurrency: 8,
  fields: { company: 'id', ids: BATCH },
});

/** Queues per company for requests that made subscriptions due; the sweep finds the ones without a place. */
const QUEUES = 16;

/**
 * The job for subscriptions that a request made due. BullMQ takes the lowest priority first, and jobs without one
 * before all others.
 */
export function billingRequest(company: Id, ids: readonly Id[]): JobRequest<BillingJob> {
  const [first] = ids;
  const queue = first === undefined ? 0 : queueOf(first, QUEUES);
  return { data: { company, ids }, id: `bill-${company.toHexString()}-now-${String(queue)}`, priority: 1 };
}

/** The job for a batch found by the sweep. The first batches of all companies go before the second ones. */
export function batchRequest(
  company: Id,
  ids: readonly Id[],
  { queue, turn }: { readonly queue: number; readonly turn: number },
): JobRequest<BillingJob> {
  const id = `bill-${company.toHexString()}-${String(queue)}`;
  return { data: { company, ids }, id, priority: turn + 1 };
}

/** The job for a subscription that has just been billed, whose running job must not deduplicate this one. */
export function followUpRequest(company: Id, id: Id): JobRequest<BillingJob> {
  return { data: { company, ids: [id] }, priority: 2 };
}

/** The queue number of an id. Its last digits count up, so that ids are spread evenly. */
export function queueOf(id: Id, queues: number): number {
  return Number.parseInt(id.toHexString().slice(-4), 16) % queues;
}
