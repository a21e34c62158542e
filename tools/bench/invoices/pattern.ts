import type { mongo } from 'mongoose';

import type { Sample } from '../billing/samples.js';
import { copyOf, empty } from '../measure/collections.js';

/** The rows of one invoice, to be copied. */
export type Pattern = Awaited<ReturnType<typeof patternOf>>;

/** The rows of a sample's invoice. */
export async function patternOf(db: mongo.Db, [sample]: readonly Sample[]) {
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
  await empty(db, ['invoices', 'invoices_due', 'events'], prefix);
  await empty(db, ['invoice_numbers', 'payments', 'subscriptions']);
  const from = new Date(Date.now() - 60_000);
  const subscriptions = Array.from({ length: count }, () => copyOf(subscription));
  const payments = subscriptions.map(({ _id }) => ({ ...paymentLike(payment), subscription: _id }));
  const rows = payments.map(({ _id }) => ({ ...copyOf(due), payment: _id, from }));
  await db.collection('subscriptions').insertMany(subscriptions);
  await db.collection('payments').insertMany(payments);
  await db.collection(`${prefix}invoices_due`).insertMany(rows);
}

/** A copy of a payment with ids of its own at the provider. */
function paymentLike(payment: mongo.Document) {
  const copied = copyOf(payment);
  const hex = copied._id.toHexString();
  const provider = { ...(payment['provider'] as object), charge_id: `ch_${hex}`, intent_id: `pi_${hex}` };
  return { ...copied, provider };
}
