import mongoose, { type mongo } from 'mongoose';

const BATCH = 5000;

interface Row extends mongo.Document {
  readonly _id: mongo.ObjectId;
}

/**
 * Creates subscriptions in the database directly, since the API creates only some dozens a second: copies of one that
 * is billed next. They share its customer and its card, and rest until `wakeAt`.
 */
export async function copySubscription(
  db: mongo.Db,
  pattern: string,
  { count, wakeAt }: { readonly count: number; readonly wakeAt: Date },
): Promise<void> {
  const rows = db.collection<Row>('subscriptions');
  const _id = new mongoose.mongo.ObjectId(pattern);
  const found = await rows.findOne({ _id });
  if (found === null) throw new Error(`there is no subscription ${pattern}`);
  for (let made = 0; made < count; made += BATCH) {
    const copies = Array.from({ length: Math.min(BATCH, count - made) }, () => {
      const id = new mongoose.mongo.ObjectId();
      return { ...found, _id: id, human_id: id.toHexString(), wake_at: wakeAt };
    });
    await rows.insertMany(copies, { ordered: false });
  }
}

/** Subscriptions with more than one payment, and the number of their payments. */
export async function billedTwice(db: mongo.Db): Promise<[string, number][]> {
  const found = await db
    .collection('payments')
    .aggregate<{ _id: mongo.ObjectId; count: number }>([
      { $group: { _id: '$subscription', count: { $sum: 1 } } },
      { $match: { count: { $gt: 1 } } },
    ])
    .toArray();
  return found.map(({ _id, count }) => [_id.toHexString(), count]);
}

/** Number of charges that a worker has made, by its own metrics. */
export async function chargesOf(managementPort: number): Promise<number> {
  const reply = await fetch(`http://127.0.0.1:${String(managementPort)}/metrics`);
  const counted = /^charges_total\{outcome="succeeded"\} (\d+)$/m.exec(await reply.text());
  return Number(counted?.[1] ?? 0);
}
