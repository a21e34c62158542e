import { declareJob, type JobRequest } from '@commerce/jobs';
import { parseId, isIdText, type Id } from '@commerce/records';

import { endpointHash, type DueDelivery } from './due-delivery.js';

/** Deliveries of one webhook that have just been created. */
export interface DeliverJob {
  readonly company: string;
  readonly webhook: string;
  /** Identifies the endpoint that they are meant for. */
  readonly endpointHash: string;
  /** Alternately the id of a delivery and that of its event. */
  readonly ids: readonly string[];
}

/** The most deliveries in one job. */
export const JOB_SIZE = 100;

export const deliverJob = declareJob<DeliverJob>({
  queue: 'deliver',
  purpose: 'sends new deliveries of one webhook',
  concurrency: 8,
  read: readDeliverJob,
});

/** An operator wants the due deliveries of a webhook sent now. */
export interface RedeliverJob {
  readonly webhook: string;
}

export const redeliverJob = declareJob<RedeliverJob>({
  queue: 'redeliver',
  purpose: 'sends the due deliveries of one webhook',
  concurrency: 2,
  read: (data) => {
    const webhook: unknown =
      typeof data === 'object' && data !== null ? (data as { webhook?: unknown }).webhook : undefined;
    return isIdText(webhook) ? { webhook } : null;
  },
});

function readDeliverJob(data: unknown): DeliverJob | null {
  if (typeof data !== 'object' || data === null) return null;
  const { company, webhook, endpointHash, ids } = data as Record<string, unknown>;
  if (
    !isIdText(company) ||
    !isIdText(webhook) ||
    typeof endpointHash !== 'string' ||
    !/^[0-9a-f]{16}$/.test(endpointHash)
  )
    return null;
  if (!Array.isArray(ids) || ids.length === 0 || ids.length % 2 !== 0 || ids.length > 2 * JOB_SIZE)
    return null;
  return ids.every(isIdText) ? { company, webhook, endpointHash, ids } : null;
}

/** A delivery that has just been created. */
export interface NewDelivery {
  readonly _id: Id;
  readonly event: Id;
  readonly webhook: Id;
  readonly endpoint: string;
}

/** The jobs for new deliveries of one company; each is about one webhook. */
export function deliverRequests(company: Id, made: readonly NewDelivery[]): JobRequest<DeliverJob>[] {
  const byWebhook = new Map<string, NewDelivery[]>();
  for (const one of made) {
    const key = one.webhook.toHexString();
    const found = byWebhook.get(key);
    if (found) found.push(one);
    else byWebhook.set(key, [one]);
  }
  const requests: JobRequest<DeliverJob>[] = [];
  for (const [webhook, all] of byWebhook) {
    const hash = endpointHash(all[0]?.endpoint ?? '');
    for (let from = 0; from < all.length; from += JOB_SIZE) {
      const ids = all
        .slice(from, from + JOB_SIZE)
        .flatMap((one) => [one._id.toHexString(), one.event.toHexString()]);
      requests.push({ data: { company: company.toHexString(), webhook, endpointHash: hash, ids } });
    }
  }
  return requests;
}

/** The deliveries of a job, as they were when their rows were inserted: not claimed by anybody. */
export function dueDeliveriesIn(job: DeliverJob): DueDelivery[] {
  const due: DueDelivery[] = [];
  const webhook = parseId(job.webhook);
  for (let index = 0; index + 1 < job.ids.length; index += 2) {
    const key = job.ids[index];
    const id = parseId(key ?? '');
    const event = parseId(job.ids[index + 1] ?? '');
    if (key === undefined || id === null || event === null || webhook === null) continue;
    due.push({
      key,
      company: job.company,
      webhookKey: job.webhook,
      id,
      webhook,
      event,
      endpointHash: job.endpointHash,
      generation: 0,
      attempt: 0,
      recorded: 0,
      round_start: 0,
      last_attempt: null,
    });
  }
  return due;
}
