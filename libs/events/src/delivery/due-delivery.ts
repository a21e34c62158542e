import { hash } from 'node:crypto';

import type { Id } from '@commerce/records';

import type { DeliveryRecord } from './delivery.record.js';

/**
 * A due delivery, as this worker has read it. A lease names the generation that was read, so it succeeds only
 * if the row has not changed since, and the row need not be read again.
 */
export interface DueDelivery {
  /** The ids of the delivery, its company and its webhook as text. */
  readonly key: string;
  readonly company: string;
  readonly webhookKey: string;
  readonly id: Id;
  readonly companyId: Id;
  readonly webhook: Id;
  readonly event: Id;
  readonly endpointHash: string;
  readonly generation: number;
  /** Attempts counted before the one that the lease will count. */
  readonly attempt: number;
  readonly recorded: number;
  readonly round_start: number;
  readonly last_attempt: number | null;
}

/** The webhook of a due delivery. */
export function webhookOf({
  webhook: _id,
  companyId: company,
}: DueDelivery): Pick<DeliveryRecord, '_id' | 'company'> {
  return { _id, company };
}

/** The companies of due deliveries. */
export function companiesOf(due: readonly DueDelivery[]): Id[] {
  return [...new Map(due.map((one) => [one.company, one.companyId])).values()];
}

/** The fields of a row that a DueDelivery is made from. */
export type DueRow = Pick<
  DeliveryRecord,
  '_id' | 'company' | 'webhook' | 'event' | 'endpoint' | 'generation' | 'attempt' | 'recorded' | 'round_start'
> & { readonly last_attempt?: number | null };

/** The same, and since when it has been due. */
export type FoundRow = DueRow & { readonly next_attempt: Date };

export const DUE_FIELDS = {
  company: 1,
  webhook: 1,
  event: 1,
  endpoint: 1,
  generation: 1,
  attempt: 1,
  recorded: 1,
  round_start: 1,
  last_attempt: 1,
  next_attempt: 1,
} as const;

export function dueDelivery(row: DueRow): DueDelivery {
  return {
    key: row._id.toHexString(),
    company: row.company.toHexString(),
    webhookKey: row.webhook.toHexString(),
    id: row._id,
    companyId: row.company,
    webhook: row.webhook,
    event: row.event,
    endpointHash: endpointHash(row.endpoint),
    generation: row.generation,
    attempt: row.attempt,
    recorded: row.recorded,
    round_start: row.round_start,
    last_attempt: row.last_attempt ?? null,
  };
}

/** Identifies an endpoint in few characters, since many due deliveries wait in memory. */
export function endpointHash(endpoint: string): string {
  return hash('sha256', endpoint).slice(0, 16);
}

/** The number of the attempt that a lease counts within its round; 1 is the first. */
export function numberInRound(due: DueDelivery): number {
  return due.attempt + 1 - due.round_start;
}

/**
 * How many attempts may still be made, including the one that a lease counts; `delays` is the number of configured
 * retry delays. 0 or less only if a worker died during each attempt.
 */
export function attemptsLeft(due: DueDelivery, delays: number): number {
  return due.last_attempt === null ? delays + 2 - numberInRound(due) : due.last_attempt - due.attempt;
}
