import {
  billedTwice,
  copySubscription,
  eventually,
  idIn,
  providerCharges,
  type Client,
} from '@commerce/testing';
import mongoose, { type mongo } from 'mongoose';

import type { Options } from './options.js';

/** The number of customers, each with a card, who share the subscriptions. */
const CUSTOMERS = 20;

const DAY_MS = 86_400_000;

/** The longest that the billing may take. */
const PATIENCE_MS = 3_600_000;

/** The result of billing: one payment and one charge for each due subscription, if all is well. */
export interface Billed {
  readonly due: number;
  readonly payments: number;
  readonly twice: number;
  /** The number of charges in the card provider's own list. */
  readonly charged: number;
}

/** Subscriptions; a share of them falls due simultaneously. */
export class Backlog {
  /** The wake date of the subscriptions that will fall due: no other record has it. */
  private readonly asleep = new Date(Date.now() + 300 * DAY_MS);

  constructor(
    private readonly db: mongo.Db,
    private readonly client: Client,
    private readonly options: Options,
  ) {}

  /** Creates the subscriptions while no worker runs. */
  async layOut(): Promise<void> {
    const { subscriptions, due } = this.options;
    const customers = Math.min(CUSTOMERS, due);
    const plan = idIn(await this.client.made('/plans', MONTHLY));
    for (let index = 0; index < customers; index += 1) {
      const pattern = await this.subscribe(plan);
      const share = (count: number): number =>
        Math.floor(count / customers) + (index < count % customers ? 1 : 0);
      await copySubscription(this.db, pattern, { count: share(due) - 1, wakeAt: this.asleep });
      const wakeAt = new Date(Date.now() + (30 + index) * DAY_MS);
      await copySubscription(this.db, pattern, { count: share(subscriptions - due), wakeAt });
      await this.rows.updateOne(
        { _id: new mongoose.mongo.ObjectId(pattern) },
        { $set: { wake_at: this.asleep } },
      );
    }
  }

  /** Makes them due, and returns the seconds until all are paid. */
  async untilBilled(): Promise<number> {
    const began = performance.now();
    await this.rows.updateMany({ wake_at: this.asleep }, { $set: { wake_at: new Date() } });
    const paid = (): Promise<number> =>
      this.db.collection('payments').countDocuments({ status: 'SUCCEEDED' });
    await eventually(paid, (count) => count >= this.options.due, PATIENCE_MS, {
      what: 'all payments',
      pauseMs: (count) => (this.options.due - count > 1000 ? 5000 : 500),
    });
    return (performance.now() - began) / 1000;
  }

  async verdict({
    STRIPE_API_BASE: url = '',
    STRIPE_SECRET_KEY: key = '',
  }: NodeJS.ProcessEnv): Promise<Billed> {
    return {
      due: this.options.due,
      payments: await this.db.collection('payments').countDocuments({}),
      twice: (await billedTwice(this.db)).length,
      charged: (await providerCharges(url, key)).length,
    };
  }

  private async subscribe(plan: string): Promise<string> {
    const user = idIn(await this.client.made('/users', { name: 'Ada' }));
    const payment_method = idIn(
      await this.client.made('/payment_methods', { payment_method: 'stripe', user }),
    );
    await this.client.changed(`/payment_methods/${payment_method}`, { payment_method_id: 'pm_card_visa' });
    return idIn(await this.client.made('/subscriptions', { plan, user, payment_method, start_now: true }));
  }

  private get rows(): mongo.Collection {
    return this.db.collection('subscriptions');
  }
}

const MONTHLY = {
  name: 'Monthly',
  interval_unit: 'MONTH',
  billing_interval: 'MONTH',
  currency: 'EUR',
  prepay: true,
  total_amount: 19.99,
};
