import { createHash } from 'node:crypto';

import type { Id } from '@commerce/platform';

import type { DeliveryRecord } from './delivery.record.js';
import type { Waiting } from './fair-queue.js';

/**
 * A delivery that is due, as it was seen. A claim names the generation seen, so it takes hold only if the row has
 * not changed since, and nothing needs to be read again.
 */
export interface DueDelivery extends Waiting {
  readonly id: Id;
  readonly webhook: Id;
  readonly event: Id;
  readonly endpointHash: string;
  readonly generation: number;
  /** Attempts counted before the one that the claim will count. */
  readonly attempt: number;
  readonly recorded: number;
  readonly round_start: number;
  readonly last_attempt: number | null;
}

/** What of a row makes a ticket. */
export type DueRow = Pick<
  DeliveryRecord,
  '_id' | 'company' | 'webhook' | 'event' | 'endpoint' | 'generation' | 'attempt' | 'recorded' | 'round_start'
> & { readonly last_attempt?: number | null };

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
} as const;

export function dueDelivery(row: DueRow): DueDelivery {
  return {
    key: row._id.toHexString(),
    company: row.company.toHexString(),
    lane: row.webhook.toHexString(),
    id: row._id,
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

/** Stands for an endpoint where its address, which may hold a customer's secrets, must not be written. */
export function endpointHash(endpoint: string): string {
  return createHash('sha256').update(endpoint).digest('hex').slice(0, 16);
}

/** Number of the attempt that a claim counts, within its round; 1 is the first. */
export function numberInRound(ticket: DueDelivery): number {
  return ticket.attempt + 1 - ticket.round_start;
}

/**
 * How many attempts may still be made, with the one that a claim counts; `delays` is the number of configured
 * waits. 0 or less only when a worker died in each of them.
 */
export function attemptsLeft(ticket: DueDelivery, delays: number): number {
  return ticket.last_attempt === null
    ? delays + 2 - numberInRound(ticket)
    : ticket.last_attempt - ticket.attempt;
}
