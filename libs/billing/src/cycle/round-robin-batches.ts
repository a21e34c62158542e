import { groupByCompany } from '@commerce/data';
import { type Id } from '@commerce/records';

import { queueOf } from '../job/billing.job.js';

/** Some subscriptions of one company, to be billed by one job. */
export interface TenantBatch {
  readonly company: Id;
  /** Number of the per-tenant queue; no two batches of one round share it. */
  readonly queue: number;
  /** Number of batches of the same company before this one: the lower goes first. */
  readonly turn: number;
  readonly ids: readonly Id[];
}

/** Limits on the batches of one company. */
export interface BatchRule {
  /** Maximum number of subscriptions in a batch. */
  readonly size: number;
  /** Maximum number of batches of one company. */
  readonly queues: number;
}

interface DueKey {
  readonly _id: Id;
  readonly company: Id;
}

/**
 * Groups due subscriptions by company, in few batches each, served round robin: the first batch of every company comes
 * before the second of any. A subscription's id decides its queue, so while a batch waits or is billed, later rounds do
 * not hold its subscriptions; the rest is left to the next round.
 */
export function roundRobinBatches(keys: readonly DueKey[], rule: BatchRule): TenantBatch[] {
  const all = groupByCompany(keys).flatMap(([, own]) => companyBatches(own, rule));
  return all.sort((a, b) => a.turn - b.turn);
}

function companyBatches(keys: readonly DueKey[], { size, queues }: BatchRule): TenantBatch[] {
  const used = keys.length > size ? queues : 1;
  const byQueue = new Map<number, Id[]>();
  const batches: TenantBatch[] = [];
  for (const { _id, company } of keys) {
    const queue = queueOf(_id, used);
    let ids = byQueue.get(queue);
    if (ids === undefined) {
      ids = [];
      byQueue.set(queue, ids);
      batches.push({ company, queue, turn: byQueue.size - 1, ids });
    }
    if (ids.length < size) ids.push(_id);
  }
  return batches;
}
