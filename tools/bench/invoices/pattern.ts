import mongoose, { type mongo } from 'mongoose';

import type { Sample } from '../billing/samples.js';
import type { Shop } from '../context.js';
import { empty } from '../measure/collections.js';

const { ObjectId } = mongoose.mongo;

/** The rows of one invoice, to be copied. */
export interface Pattern {
  readonly subscription: mongo.Document;
  readonly payment: mongo.Document;
  readonly due: mongo.Document;
  readonly invoice: mongo.Document;
  readonly event: mongo.Document;
}

/** The rows of a sample's invoice. */
export async function patternOf({ db }: Shop, [sample]: readonly Sample[]): Promise<Pattern> {
  if (sample === undefined) throw new Error('there is no sample');
  const { after: subscription, payment } = sample;
  const invoice = await db.collection('invoices').findOne({ payment: payment._id });
  const event = await db.collection('events').findOne({ object_id: invoice?._id });
  if (invoice === null || event === null) throw new Error('a sample has no invoice');
  const { company } = payment;
  const due = { company, refund: null, date: invoice['created'] as Date, tries: 0, error: null };
  return { subscription, payment, due, invoice, event };
}

/** Payments that wait for their invoices, and nothing else. */
export async function layOut(
  db: mongo.Db,
  { subscription, payment, due }: Pattern,
  count: number,
  prefix = '',
): Promise<void> {
  await empty(db, ...['invoices', 'invoices_due', 'events'].map((name) => prefix + name));
  await empty(db, 'invoice_numbers', 'payments', 'subscriptions');
  const ids = Array.from({ length: count }, () => new ObjectId());
  const from = new Date(Date.now() - 60_000);
  const human = (_id: mongo.ObjectId) => ({ human_id: _id.toHexString().slice(-8) });
  await db
    .collection('subscriptions')
    .insertMany(ids.map((_id) => ({ ...subscription, ...human(_id), _id })));
  await db
    .collection('payments')
    .insertMany(ids.map((_id) => ({ ...paymentLike(payment, _id), ...human(_id) })));
  const rows = ids.map((_id) => ({ ...due, _id: new ObjectId(), payment: _id, from }));
  await db.collection(`${prefix}invoices_due`).insertMany(rows);
}

/** A payment of a subscription of its own, with ids of its own at the provider. */
function paymentLike(payment: mongo.Document, _id: mongo.ObjectId): mongo.Document {
  const hex = _id.toHexString();
  const provider = { ...(payment['provider'] as object), charge_id: `ch_${hex}`, intent_id: `pi_${hex}` };
  return { ...payment, _id, subscription: _id, provider };
}
