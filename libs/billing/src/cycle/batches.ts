import type { Id } from '@commerce/records';

/** Some subscriptions of one company. */
export interface SubscriptionBatch {
  readonly company: Id;
  readonly ids: Id[];
}

/** Groups subscriptions by company, in batches of at most `size`, keeping their order. */
export function batchesOf(
  keys: readonly { _id: Id; company: Id }[],
  size: number,
): readonly SubscriptionBatch[] {
  const open = new Map<string, SubscriptionBatch>();
  const all: SubscriptionBatch[] = [];
  for (const { _id, company } of keys) {
    const key = company.toHexString();
    let batch = open.get(key);
    if (batch === undefined || batch.ids.length === size) {
      batch = { company, ids: [] };
      open.set(key, batch);
      all.push(batch);
    }
    batch.ids.push(_id);
  }
  return all;
}
