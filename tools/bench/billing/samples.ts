import { idIn } from '@commerce/testing';
import type { mongo } from 'mongoose';

import type { BenchContext } from '../context.js';
import { untilNoneLeft } from '../measure/pausing.js';
import type { PaymentRow, Sample, SubscriptionRow } from './rows.js';

/** Makes customers with a card, and one subscription each that is due as soon as it is made; gives the ids. */
export async function makeDueSubscriptions({ admin }: BenchContext, customers: number): Promise<string[]> {
  const plan = idIn(
    await admin.made('/plans', {
      name: 'Monthly',
      interval_unit: 'MONTH',
      billing_interval: 'MONTH',
      currency: 'EUR',
      prepay: true,
      total_amount: 19.99,
    }),
  );
  const ids: string[] = [];
  for (let index = 0; index < customers; index += 1) {
    const user = idIn(await admin.made('/users', { name: `Customer ${String(index)}` }));
    const payment_method = idIn(await admin.made('/payment_methods', { payment_method: 'stripe', user }));
    await admin.changed(`/payment_methods/${payment_method}`, { payment_method_id: 'pm_card_visa' });
    const body = { plan, user, payment_method, start_now: true };
    ids.push(idIn(await admin.made('/subscriptions', body)));
  }
  return ids;
}

/** Waits until the service has billed these subscriptions; `due` is how they were before. */
export async function samplesOf(db: mongo.Db, due: readonly SubscriptionRow[]): Promise<Sample[]> {
  const paid = { subscription: { $in: due.map(({ _id }) => _id) }, status: 'SUCCEEDED' };
  await untilNoneLeft(
    'samples to be billed',
    async () => due.length - (await db.collection('payments').countDocuments(paid)),
  );
  return Promise.all(due.map((before) => sampleOf(db, before)));
}

async function sampleOf(db: mongo.Db, before: SubscriptionRow): Promise<Sample> {
  const after = await db.collection<SubscriptionRow>('subscriptions').findOne({ _id: before._id });
  const payment = await db.collection<PaymentRow>('payments').findOne({ subscription: before._id });
  if (after === null || payment === null) throw new Error('a sample has gone');
  const eventsOf = (filter: mongo.Document): Promise<mongo.WithId<mongo.Document>[]> =>
    db.collection('events').find(filter).sort({ sequence: 1 }).toArray();
  const ofPayment = await eventsOf({ object_id: payment._id });
  const ofSubscription = await eventsOf({ object_id: before._id, sequence: { $gt: before.sys.events } });
  const settled = ofPayment.findIndex((event) => event['kind'] === 'payment.succeeded');
  // Each commit changes the subscription too; where only one change shows, it is the one that settles.
  const opening = ofSubscription.slice(0, -1);
  return {
    before,
    after,
    payment,
    first: [...ofPayment.slice(0, settled), ...opening],
    second: [...ofPayment.slice(settled), ...ofSubscription.slice(-1)],
  };
}
