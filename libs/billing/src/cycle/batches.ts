import type { Id } from '@commerce/platform';

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
    let handful = open.get(key);
    if (handful === undefined || handful.ids.length === size) {
      handful = { company, ids: [] };
      open.set(key, handful);
      all.push(handful);
    }
    handful.ids.push(_id);
  }
  return all;
}
