import { untilNoneLeft } from '../measure/pausing.mjs';

/**
 * How the service bills one subscription: the rows before, between and after its two commits.
 *
 * @typedef {object} Sample
 * @property {object} before the subscription as it is due
 * @property {object} after the same, billed
 * @property {object} payment as it is in the end
 * @property {object[]} first events of the commit that opens the payment
 * @property {object[]} second events of the commit that settles it
 */

/** Makes customers with a card, and one subscription each that is due as soon as it is made. */
export async function makeDueSubscriptions({ call }, customers) {
  const plan = await call('POST', '/plans', {
    name: 'Monthly',
    interval_unit: 'MONTH',
    billing_interval: 'MONTH',
    currency: 'EUR',
    prepay: true,
    total_amount: 19.99,
  });
  const ids = [];
  for (let index = 0; index < customers; index += 1) {
    const user = (await call('POST', '/users', { name: `Customer ${index}` }))._id.$oid;
    const method = await call('POST', '/payment_methods', { payment_method: 'stripe', user });
    const payment_method = method._id.$oid;
    await call('PUT', `/payment_methods/${payment_method}`, { payment_method_id: 'pm_card_visa' });
    const body = { plan: plan._id.$oid, user, payment_method, start_now: true };
    ids.push((await call('POST', '/subscriptions', body))._id.$oid);
  }
  return ids;
}

/**
 * Waits until the service has billed these subscriptions.
 *
 * @param {import('mongoose').mongo.Db} db
 * @param {object[]} due the subscriptions as they were before
 * @returns {Promise<Sample[]>}
 */
export async function samplesOf(db, due) {
  const ids = due.map(({ _id }) => _id);
  const paid = { subscription: { $in: ids }, status: 'SUCCEEDED' };
  const { length } = due;
  await untilNoneLeft(
    'samples to be billed',
    async () => length - (await db.collection('payments').countDocuments(paid)),
  );
  return Promise.all(due.map((before) => sampleOf(db, before)));
}

async function sampleOf(db, before) {
  const after = await db.collection('subscriptions').findOne({ _id: before._id });
  const payment = await db.collection('payments').findOne({ subscription: before._id });
  const events = db.collection('events');
  const ofPayment = await events.find({ object_id: payment._id }).sort({ sequence: 1 }).toArray();
  const changes = { object_id: before._id, sequence: { $gt: before.sys.events } };
  const ofSubscription = await events.find(changes).sort({ sequence: 1 }).toArray();
  const settled = ofPayment.findIndex(({ kind }) => kind === 'payment.succeeded');
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
