import { idIn, type Client } from '@commerce/testing';
import mongoose, { type mongo } from 'mongoose';

import type { BenchContext } from '../context.js';
import { untilNoneLeft, whilePaused } from '../measure/waiting.js';

const { ObjectId } = mongoose.mongo;

/** Customers with a card; the subscriptions are shared out among them. */
const CUSTOMERS = 20;

export interface SubscriptionRow extends mongo.Document {
  readonly _id: mongo.ObjectId;
  readonly company: mongo.ObjectId;
  readonly user: mongo.ObjectId;
  readonly sys: { readonly version: number; readonly events: number };
}

export interface PaymentRow extends mongo.Document {
  readonly _id: mongo.ObjectId;
  readonly company: mongo.ObjectId;
  readonly amount: number;
  readonly currency: string;
  readonly attempts: readonly mongo.Document[];
  readonly provider: mongo.Document;
  readonly request: { readonly customer_id: string; readonly method_id: string };
}

/** The rows with which the service bills one subscription. */
export interface Sample {
  /** The subscription while it is due, and once it is billed. */
  readonly before: SubscriptionRow;
  readonly after: SubscriptionRow;
  /** The payment in the end. */
  readonly payment: PaymentRow;
  /** The events of the commit that opens the payment, and of the one that settles it. */
  readonly first: readonly mongo.Document[];
  readonly second: readonly mongo.Document[];
}

/** Has the service bill a subscription of each of some customers with a card. */
export async function makeSamples(context: BenchContext, admin: Client): Promise<Sample[]> {
  const { db } = context;
  const due = await whilePaused(context.pidOf('worker'), () => makeDueSubscriptions(context, admin));
  const paid = { subscription: { $in: due.map(({ _id }) => _id) }, status: 'SUCCEEDED' };
  const countPaid = (): Promise<number> => db.collection('payments').countDocuments(paid);
  await untilNoneLeft('samples to be billed', async () => due.length - (await countPaid()));
  return Promise.all(due.map((before) => sampleOf(db, before)));
}

async function makeDueSubscriptions({ db }: BenchContext, admin: Client): Promise<SubscriptionRow[]> {
  const month = { interval_unit: 'MONTH', billing_interval: 'MONTH', prepay: true };
  const monthly = { name: 'Monthly', ...month, currency: 'EUR', total_amount: 19.99 };
  const plan = idIn(await admin.made('/plans', monthly));
  const ids: mongo.ObjectId[] = [];
  for (let index = 0; index < CUSTOMERS; index += 1) {
    const user = idIn(await admin.made('/users', { name: `Customer ${String(index)}` }));
    const payment_method = idIn(await admin.made('/payment_methods', { payment_method: 'stripe', user }));
    await admin.changed(`/payment_methods/${payment_method}`, { payment_method_id: 'pm_card_visa' });
    const started = { plan, user, payment_method, start_now: true };
    ids.push(new ObjectId(idIn(await admin.made('/subscriptions', started))));
  }
  const rows = db.collection<SubscriptionRow>('subscriptions');
  return rows.find({ _id: { $in: ids } }).toArray();
}

async function sampleOf(db: mongo.Db, before: SubscriptionRow): Promise<Sample> {
  const after = await db.collection<SubscriptionRow>('subscriptions').findOne({ _id: before._id });
  const payment = await db.collection<PaymentRow>('payments').findOne({ subscription: before._id });
  if (after === null || payment === null) throw new Error('a sample has gone');
  const eventsOf = (filter: mongo.Document): Promise<mongo.Document[]> =>
    db.collection('events').find(filter).sort({ sequence: 1 }).toArray();
  const ofPayment = await eventsOf({ object_id: payment._id });
  const ofSubscription = await eventsOf({ object_id: before._id, sequence: { $gt: before.sys.events } });
  const settled = ofPayment.findIndex((event) => event['kind'] === 'payment.succeeded');
  // Each commit changes the subscription too; where only one change shows, it is the one that settles.
  return {
    before,
    after,
    payment,
    first: [...ofPayment.slice(0, settled), ...ofSubscription.slice(0, -1)],
    second: [...ofPayment.slice(settled), ...ofSubscription.slice(-1)],
  };
}
