import { groupByCompany } from '@commerce/data';
import { type Id } from '@commerce/records';

import { laneOf } from '../subscriptions/billing.job.js';

/** Some subscriptions of one company, to be billed by one job. */
export interface FairBatch {
  readonly company: Id;
  /** Which of the company's jobs it is; no two batches of one round share it. */
  readonly lane: number;
  /** How many batches of the same company come before it: the lower goes first. */
  readonly turn: number;
  readonly ids: readonly Id[];
}

/** How a company's due subscriptions are shared out. */
export interface BatchRule {
  /** Subscriptions in a batch, at most. */
  readonly size: number;
  /** Batches of one company, at most. */
  readonly lanes: number;
}

interface DueKey {
  readonly _id: Id;
  readonly company: Id;
}

/**
 * Groups due subscriptions by company, in few batches each, and lets the companies take turns: however much one of
 * them owes, the first batch of every other comes before its second. A subscription has its lane by its id, and a
 * company that owes more than a batch has all lanes, however much it owes: while a batch waits or is billed, the
 * batches of later rounds do not hold its subscriptions. What does not fit is left to the next round.
 */
export function fairBatchesOf(keys: readonly DueKey[], rule: BatchRule): FairBatch[] {
  const all = groupByCompany(keys).flatMap(([, own]) => companyBatches(own, rule));
  return all.sort((a, b) => a.turn - b.turn);
}

function companyBatches(keys: readonly DueKey[], { size, lanes }: BatchRule): FairBatch[] {
  const used = keys.length > size ? lanes : 1;
  const byLane = new Map<number, Id[]>();
  const batches: FairBatch[] = [];
  for (const { _id, company } of keys) {
    const lane = laneOf(_id, used);
    let ids = byLane.get(lane);
    if (ids === undefined) {
      ids = [];
      byLane.set(lane, ids);
      batches.push({ company, lane, turn: byLane.size - 1, ids });
    }
    if (ids.length < size) ids.push(_id);
  }
  return batches;
}
