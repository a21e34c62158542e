import { getConnectionToken } from '@nestjs/mongoose';
import { openField } from '@commerce/platform';
import { unpack } from '@commerce/records';
import { Client, idIn } from '@commerce/testing';
import type { Connection } from 'mongoose';
import supertest from 'supertest';

import type { World } from './world.js';

/** An event as stored in the outbox, ready to be sent. */
export interface ReportedEvent {
  readonly id: string;
  readonly kind: string;
  readonly sequence: number;
  readonly object: any;
  readonly previous_data: any;
}

/** A customer with a saved card. */
export interface Buyer {
  readonly id: string;
  readonly client: Client;
  /** The service's id of the card. */
  readonly card: string;
  /** The provider's id of the customer. */
  readonly customer: string;
}

/** A separate company with active products, in the order of their creation. */
export interface Stocked {
  /** A client without a token. */
  readonly caller: Client;
  readonly admin: Client;
  readonly made: readonly any[];
}

/** Creates a separate company, so that its lists hold only the test's records. */
export async function stocked(world: World, products: readonly object[]): Promise<Stocked> {
  const { admin, apiKey } = await world.stranger();
  const made: any[] = [];
  for (const one of products)
    made.push(await admin.made('/products', { price: 1, currency: 'EUR', active: true, ...one }));
  return { caller: new Client(admin.baseUrl, { apiKey }), admin, made };
}

/** A shop in a world: products, customers with cards, and access to the provider's books. */
export class Shop {
  constructor(readonly world: World) {}

  /** The id of an active product in EUR. */
  async product(values: object = {}): Promise<string> {
    const product = { name: 'Tea', price: 10, currency: 'EUR', active: true, ...values };
    return idIn(await this.world.admin.made('/products', product));
  }

  /** A sub-product of these products. */
  async subProduct(parents: readonly string[], values: object = {}): Promise<string> {
    const id = await this.product({ main_product: false, name: 'Cup', ...values });
    for (const parent of parents) {
      const { status, body } = await this.world.admin.put(`/products/${parent}/sub_products`, { add: [id] });
      if (status !== 200) throw new Error(JSON.stringify(body));
    }
    return id;
  }

  async coupon(values: object): Promise<{ id: string; code: string }> {
    const made = await this.world.admin.made('/coupons', values);
    return { id: idIn(made), code: made.code };
  }

  /** A user with one of the provider's test cards. */
  async buyer(card = 'visa', values: object = {}): Promise<Buyer> {
    const { id, client } = await this.world.user(values);
    const method = await this.card(client, card);
    return { id, client, card: idIn(method), customer: method.customer_id };
  }

  /** Saves one more card of a user, and returns the payment method. */
  async card(client: Client, name = 'visa'): Promise<any> {
    const empty = idIn(await client.made('/payment_methods', { payment_method: 'stripe' }));
    const { status, body } = await client.put(`/payment_methods/${empty}`, {
      payment_method_id: `pm_card_${name}`,
    });
    if (status !== 200) throw new Error(JSON.stringify(body));
    return body;
  }

  /** The current payment of an order, as an admin sees it. */
  async payment(order: any): Promise<any> {
    return this.world.admin.read(`/payments/${String(order.payment.$oid)}`);
  }

  /** The amounts that the provider has captured from a customer and refunded, in minor units. */
  async ledger({ customer }: Buyer, currency = 'eur'): Promise<any> {
    const { currencies } = await this.sandbox('GET', `/sandbox/ledger?customer=${customer}`);
    return currencies[currency] ?? { captured: 0, refunded: 0, charges: 0 };
  }

  /** Scripts the outcomes of a customer's next charges: names of outcomes, `succeed` among them. */
  async bank({ customer }: Buyer, ...next: string[]): Promise<void> {
    const fields = Object.fromEntries(next.map((name, index) => [`next[${String(index)}]`, name]));
    await this.sandbox('POST', `/sandbox/customers/${customer}/behaviour`, fields);
  }

  /** Makes the provider decide its pending outcomes now, and makes the payments that wait for them due for a check. */
  async settles(): Promise<void> {
    await this.sandbox('POST', '/sandbox/settle');
    const waiting = { check_at: { $ne: null } };
    await this.database.collection('payments').updateMany(waiting, { $set: { check_at: new Date() } });
  }

  /** Makes the provider refuse to charge a customer less than `amount`; null restores the currency's minimum. */
  async minimum({ customer }: Buyer, amount: number | null): Promise<void> {
    const minimum = amount === null ? '' : String(amount);
    await this.sandbox('POST', `/sandbox/customers/${customer}/behaviour`, { minimum });
  }

  /** The intent of a charge made at the provider without the service, in minor units of EUR. */
  async charged({ customer }: Buyer, amount: number, metadata: Record<string, string>): Promise<string> {
    const methods = await this.sandbox('GET', `/v1/payment_methods?customer=${customer}`);
    const named = Object.entries(metadata).map(([name, value]) => [`metadata[${name}]`, value]);
    const { id } = await this.sandbox('POST', '/v1/payment_intents', {
      ...{ amount: String(amount), currency: 'eur', customer, payment_method: methods.data[0].id },
      ...{ confirm: 'true', off_session: 'true' },
      ...(Object.fromEntries(named) as Record<string, string>),
    });
    return id as string;
  }

  /** Sends the customer's answer on the bank's page. */
  async authenticates(payment: any, outcome: 'approve' | 'decline' = 'approve'): Promise<void> {
    const intent = String(payment.metadata.payment_intent_id);
    await supertest(this.world.sandbox.url).post(`/authenticate/${intent}`).type('form').send({ outcome });
  }

  /** Asks the service to check the authentication, as the customer's browser does. */
  async confirms({ client }: Buyer, payment: any): Promise<any> {
    return client.post(`/payments/${idIn(payment)}/confirm`, {
      payment_intent_id: payment.metadata.payment_intent_id,
      payment_client_secret: payment.metadata.intent_client_secret,
    });
  }

  /** Tries once more with the client secret, as the customer's browser does. */
  async confirmsBySecret(payment: any): Promise<any> {
    const { payment_intent_id, payment_method_id, intent_client_secret } = payment.metadata;
    const { body } = await supertest(this.world.sandbox.url)
      .post(`/v1/payment_intents/${String(payment_intent_id)}/confirm`)
      .type('form')
      .send({ client_secret: intent_client_secret, payment_method: payment_method_id });
    return body;
  }

  /** The events of a record, in order. */
  async events(id: string): Promise<ReportedEvent[]> {
    const rows = await this.database.collection('events').find({}).toArray();
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

  get database(): Connection {
    return this.world.api.get<Connection>(getConnectionToken());
  }

  private async sandbox(method: string, path: string, fields: Record<string, string> = {}): Promise<any> {
    const answer = await fetch(`${this.world.sandbox.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${String(process.env['STRIPE_SECRET_KEY'])}` },
      ...(method === 'POST' ? { body: new URLSearchParams(fields) } : {}),
    });
    if (answer.status >= 400) throw new Error(`${path}: ${await answer.text()}`);
    return answer.json();
  }
}

/** The error codes of a problem document, by path. */
export function errorsIn(body: any): Record<string, string> {
  return Object.fromEntries(body.errors.map(({ path, code }: any) => [path, code]));
}
