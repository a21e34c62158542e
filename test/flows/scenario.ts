import { getConnectionToken } from '@nestjs/mongoose';
import { openField } from '@commerce/platform';
import { unpack } from '@commerce/records';
import { callProvider, eventually, idIn } from '@commerce/testing';
import type { Connection } from 'mongoose';

import type { World } from '../world.js';

/** An event as stored in the outbox, ready to be sent. */
export interface ReportedEvent {
  readonly kind: string;
  readonly sequence: number;
  readonly created: number;
  readonly object: any;
  readonly previous_data: any;
}

export const DAY = 86_400_000;

/** Milliseconds of a date in UTC: `at('2026-01-31')`, `at('2026-01-31T12:00')`. */
export function at(date: string): number {
  return Date.parse(date.includes('T') ? `${date}:00Z` : `${date}T00:00:00Z`);
}

/** A customer of the company on a test clock; each method calls the real service. */
export class Scenario {
  private constructor(
    readonly world: World,
    readonly clock: string,
    readonly user: string,
  ) {}

  static async begin(world: World, date: string): Promise<Scenario> {
    const clock = idIn(await world.admin.made('/test_clocks', { frozen_time: at(date) }));
    const { id } = await world.user({ test_clock: clock });
    return new Scenario(world, clock, id);
  }

  /** Adds a customer on the same clock. */
  async another(): Promise<Scenario> {
    const { id } = await this.world.user({ test_clock: this.clock });
    return new Scenario(this.world, this.clock, id);
  }

  /** Saves one of the provider's test cards. */
  async card(name = 'visa'): Promise<string> {
    const empty = { payment_method: 'stripe', user: this.user };
    const id = idIn(await this.world.admin.made('/payment_methods', empty));
    await this.world.admin.changed(`/payment_methods/${id}`, { payment_method_id: `pm_card_${name}` });
    return id;
  }

  async plan(values: object = {}): Promise<string> {
    const plan = { name: 'Plan', interval_unit: 'MONTH', currency: 'EUR', total_amount: 30, ...values };
    return idIn(await this.world.admin.made('/plans', plan));
  }

  /** Creates a subscription and its plan; it starts immediately when a card is given. */
  async subscribed(
    plan: object,
    values: { payment_method?: string; quantity?: number } & object = {},
  ): Promise<string> {
    const start = values.payment_method === undefined ? {} : { start_now: true };
    const body = { plan: await this.plan(plan), user: this.user, ...start, ...values };
    return idIn(await this.world.admin.made('/subscriptions', body));
  }

  async does(id: string, move: 'start' | 'stop' | 'pause', body: object = {}): Promise<any> {
    return this.world.admin.made(`/subscriptions/${id}/${move}`, body);
  }

  async changes(id: string, body: object): Promise<any> {
    return this.world.admin.changed(`/subscriptions/${id}`, body);
  }

  /** Advances the clock and waits until all work due by then is done. */
  async until(date: string | number): Promise<void> {
    await this.sets(date);
    await this.arrives();
  }

  /** Advances the clock without waiting. */
  async sets(date: string | number): Promise<void> {
    const frozen_time = typeof date === 'number' ? date : at(date);
    await this.world.admin.made(`/test_clocks/${this.clock}/advance`, { frozen_time });
  }

  async time(): Promise<any> {
    return this.world.admin.read(`/test_clocks/${this.clock}`);
  }

  async arrives(): Promise<void> {
    await eventually(
      () => this.time(),
      ({ status }) => status === 'ready',
      60_000,
    );
  }

  /** Waits until the worker has done the work due by the clock's time. */
  async settled(id: string): Promise<any> {
    return eventually(
      async () => this.row(id),
      ({ wake_at, open_payments }) =>
        wake_at === null && open_payments.every(({ state }: { state: string }) => state !== 'IN_FLIGHT'),
    );
  }

  async subscription(id: string): Promise<any> {
    return this.world.admin.read(`/subscriptions/${id}`);
  }

  /** The payments of a subscription, oldest first. */
  async payments(id: string): Promise<any[]> {
    const all: any[] = [];
    for (let page = 0; all.length === page * 100; page += 1) {
      const query = { sort: 'created', size: 100, page };
      all.push(...(await this.world.admin.read(`/subscriptions/${id}/payments`, query)));
    }
    return all;
  }

  /** The date, amount and status of each payment. */
  async bill(id: string): Promise<[string, number, string][]> {
    const payments = await this.payments(id);
    return payments.map(({ created, amount, status }) => [day(created.$date), amount, status]);
  }

  /** The events of a record, in order. */
  async events(id: string): Promise<ReportedEvent[]> {
    const rows = await this.connection
      .collection('events')
      .find({ object_type: { $in: ['subscription', 'payment'] } })
      .toArray();
    return rows
      .map(
        (row) =>
          JSON.parse(
            openField(unpack(row['body']) as string, ['events', String(row._id), 'body']),
          ) as ReportedEvent,
      )
      .filter(({ object }) => object._id === id)
      .sort((a, b) => a.sequence - b.sequence);
  }

  async kinds(id: string): Promise<string[]> {
    return (await this.events(id)).map(({ kind }) => kind);
  }

  /** Scripts the outcomes of this customer's next charges: names of outcomes, `succeed` among them. */
  async bank(...next: string[]): Promise<void> {
    await this.sandbox('POST', `/sandbox/customers/${await this.customer()}/behaviour`, {
      ...Object.fromEntries(next.map((name, index) => [`next[${String(index)}]`, name])),
    });
  }

  /** Makes the provider reply to every further charge with an outcome, or, without a name, by the card. */
  async bankAlways(outcome = ''): Promise<void> {
    const path = `/sandbox/customers/${await this.customer()}/behaviour`;
    await this.sandbox('POST', path, { from_now: outcome });
  }

  /** Makes the provider refuse to charge this customer less than `amount`. */
  async minimum(amount: number): Promise<void> {
    const path = `/sandbox/customers/${await this.customer()}/behaviour`;
    await this.sandbox('POST', path, { minimum: String(amount) });
  }

  /** Waits until the provider's intent of a payment has this status. */
  async intentIs(payment: any, status: string): Promise<void> {
    const path = `/v1/payment_intents/${String(payment.metadata.payment_intent_id)}`;
    await eventually(
      () => this.sandbox('GET', path),
      (intent) => intent.status === status,
    );
  }

  /** The amounts that the provider has captured from the customer and refunded, in minor units. */
  async ledger(currency = 'eur'): Promise<{ captured: number; refunded: number; charges: number }> {
    const { currencies } = await this.sandbox('GET', `/sandbox/ledger?customer=${await this.customer()}`);
    return currencies[currency] ?? { captured: 0, refunded: 0, charges: 0 };
  }

  /** Makes the provider decide its pending outcomes now, and lets the service check them without the usual wait. */
  async providerHurries(): Promise<void> {
    await this.sandbox('POST', '/sandbox/settle');
    const payments = this.connection.collection('payments');
    const waiting = { check_at: { $ne: null } };
    // One by one, because on the embedded server a bulk write would deadlock with a transaction that waits for it.
    for (const { _id } of await payments.find(waiting).project({ _id: 1 }).toArray())
      await payments.updateOne({ _id, ...waiting }, { $set: { check_at: new Date() } });
  }

  /** The customer authenticates a payment on the bank's page. */
  async authenticates(payment: any): Promise<void> {
    const intent = String(payment.metadata.payment_intent_id);
    await this.sandbox('POST', `/authenticate/${intent}`, { outcome: 'approve' });
  }

  /** The row in the database, with the fields hidden from callers. */
  async row(id: string): Promise<any> {
    const { Types } = await import('mongoose');
    return this.connection.collection('subscriptions').findOne({ _id: new Types.ObjectId(id) });
  }

  private get connection(): Connection {
    return this.world.api.get<Connection>(getConnectionToken());
  }

  private async customer(): Promise<string> {
    const [method] = await this.world.admin.read('/payment_methods', { user: this.user });
    if (method === undefined) throw new Error('the customer has no card yet');
    return String(method.customer_id);
  }

  private async sandbox(method: string, path: string, fields: Record<string, string> = {}): Promise<any> {
    const authorization = `Bearer ${String(process.env['STRIPE_SECRET_KEY'])}`;
    const { url } = this.world.sandbox;
    const { status, text, body } = await callProvider(url, method, path, fields, { authorization });
    if (status >= 400) throw new Error(`${path}: ${text}`);
    return body;
  }
}

function day(ms: number): string {
  const text = new Date(ms).toISOString();
  return text.endsWith('T00:00:00.000Z') ? text.slice(0, 10) : text.slice(0, 16);
}
