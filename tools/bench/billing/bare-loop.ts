import type { mongo } from 'mongoose';
import pMap from 'p-map';
import { Pool } from 'undici';

import { copyOf } from '../measure/collections.js';
import { commit } from '../measure/connect.js';
import type { PaymentRow, Sample, SubscriptionRow } from './samples.js';

/**
 * The bare side of the billing benchmark: for each subscription a transaction that opens a payment, a call to the card
 * provider, and a transaction that settles it, with the rows that the service writes. It decides nothing, reads nothing
 * and survives nothing.
 */
export class BareBiller {
  private readonly provider: Pool;
  private readonly subscriptions = this.client.db().collection<SubscriptionRow>('bare_subscriptions');
  private readonly payments = this.client.db().collection<PaymentRow>('bare_payments');
  private readonly events = this.client.db().collection('bare_events');

  constructor(
    private readonly client: mongo.MongoClient,
    private readonly samples: readonly Sample[],
    private readonly options: { readonly url: string; readonly key: string; readonly concurrency: number },
  ) {
    this.provider = new Pool(options.url, { connections: options.concurrency });
  }

  /** Bills these subscriptions. */
  async run(due: readonly SubscriptionRow[]): Promise<void> {
    await pMap(due, (one) => this.bill(one), { concurrency: this.options.concurrency });
  }

  private async bill({ _id: subscription, company, user }: SubscriptionRow): Promise<void> {
    const sample = this.samples.find(({ before }) => before.user.equals(user));
    if (sample === undefined) throw new Error('there is no sample of this customer');
    const { before, after, first, second } = sample;
    const { version } = before.sys;
    const payment = { ...copyOf(sample.payment), subscription };
    const [attempt] = payment.attempts;
    const opened = {
      status: 'PROCESSING',
      attempts: [{ ...attempt, status: 'PROCESSING' }],
      provider: { ...payment.provider, charge_id: null, intent_id: null },
      check_at: new Date(),
    };
    const changes = changed(before, after);
    const due = { _id: subscription, company };
    const copies = (events: Sample['first']): mongo.Document[] =>
      events.map((event) => {
        const object_id = event['object_type'] === 'payment' ? payment._id : subscription;
        return { ...copyOf(event), object_id };
      });
    await commit(this.client, async (session) => {
      await this.payments.insertOne({ ...payment, ...opened }, { session });
      const waiting = { ...changes, due: null, wake_at: null, payments: [payment._id] };
      const { matchedCount } = await this.subscriptions.updateOne(
        { ...due, 'sys.version': version },
        { $set: { ...waiting, sys: { ...after.sys, version: version + 1 } } },
        { session },
      );
      if (matchedCount !== 1) throw new Error('a subscription was not as it was laid out');
      await this.events.insertMany(copies(first), { session });
    });
    const charged = { ...payment, provider: { ...payment.provider, ...(await this.charge(payment)) } };
    await commit(this.client, async (session) => {
      const settled = changed({ ...payment, ...opened }, charged);
      await this.payments.updateOne({ _id: payment._id, company }, { $set: settled }, { session });
      const billed = { $set: { ...changes, payments: [payment._id], sys: after.sys } };
      await this.subscriptions.updateOne({ ...due, 'sys.version': version + 1 }, billed, { session });
      await this.events.insertMany(copies(second), { session });
    });
  }

  /** Charges a card with the request of the service's own adapter; gives the ids that the payment keeps. */
  private async charge({ _id, company, amount, currency, request }: PaymentRow): Promise<mongo.Document> {
    const form = new URLSearchParams({
      amount: String(Math.round(amount * 100)),
      currency: currency.toLowerCase(),
      customer: request.customer_id,
      payment_method: request.method_id,
      'automatic_payment_methods[enabled]': 'true',
      'automatic_payment_methods[allow_redirects]': 'never',
      confirm: 'true',
      off_session: 'true',
      'metadata[company]': company.toHexString(),
      'metadata[payment]': _id.toHexString(),
      'metadata[attempt]': '1',
    });
    const headers = {
      authorization: `Bearer ${this.options.key}`,
      'content-type': 'application/x-www-form-urlencoded',
      'idempotency-key': `pay-${_id.toHexString()}`,
    };
    const sent = { method: 'POST', path: '/v1/payment_intents', headers, body: form.toString() } as const;
    const { body } = await this.provider.request(sent);
    const intent = (await body.json()) as Record<'id' | 'status' | 'latest_charge', string>;
    if (intent.status !== 'succeeded') throw new Error(`the provider answered ${JSON.stringify(intent)}`);
    return { intent_id: intent.id, charge_id: intent.latest_charge };
  }
}

function changed(before: mongo.Document, after: mongo.Document): mongo.Document {
  const differs = (name: string): boolean => JSON.stringify(after[name]) !== JSON.stringify(before[name]);
  return Object.fromEntries(Object.entries(after).filter(([name]) => differs(name)));
}
