import type { mongo } from 'mongoose';

import { copyOf } from '../measure/collections.js';
import { commit } from '../measure/connect.js';
import type { Pattern } from './pattern.js';

/** Documents in one transaction, as many as the service's. */
const BATCH = 200;

/**
 * The bare side: reads what is due and the payments, and writes copies of one invoice and its event, with the next
 * numbers, in transactions of 200. It computes no line and no tax, knows no other worker, and asks nobody.
 */
export async function numberBarely(
  client: mongo.MongoClient,
  { invoice, event }: Pick<Pattern, 'invoice' | 'event'>,
): Promise<void> {
  const db = client.db();
  const due = db.collection('bare_invoices_due');
  for (let next = 1; ; next += BATCH) {
    const rows = await due.find().sort({ company: 1, from: 1, _id: 1 }).limit(BATCH).toArray();
    if (rows.length === 0) return;
    const payments = rows.map((row) => row['payment'] as mongo.ObjectId);
    const paid = await db
      .collection('payments')
      .find({ _id: { $in: payments } })
      .toArray();
    const made = paid.map(({ _id: payment }, index) => {
      const place = next + index;
      const number = `2026-${String(place).padStart(6, '0')}`;
      return { ...copyOf(invoice), payment, place, number };
    });
    const events = made.map(({ _id }) => ({ ...copyOf(event), object_id: _id }));
    await commit(client, async (session) => {
      await db
        .collection<{ _id: string; next: number }>('invoice_numbers')
        .updateOne({ _id: 'bare' }, { $set: { next: next + rows.length } }, { session, upsert: true });
      await due.deleteMany({ _id: { $in: rows.map(({ _id }) => _id) } }, { session });
      await db.collection('bare_invoices').insertMany(made, { session });
      await db.collection('bare_events').insertMany(events, { session });
    });
  }
}
