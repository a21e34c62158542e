import { setTimeout as pause } from 'node:timers/promises';

import { idIn, type Client, type Reply } from './client.js';

/** The statuses with which the service asks to repeat a request. */
const PASSING = new Set([503, 409, 429]);

/** Time during which one request may be repeated. */
const PATIENCE_MS = 120_000;

interface Subscribed {
  readonly user: string;
  readonly subscription: string;
}

/** Subscribes customers to a plan of its own, and repeats each request until it succeeds. */
export class Subscriber {
  private constructor(
    private readonly api: Client,
    private readonly plan: string,
    private readonly onReply: (reply: Reply) => void,
  ) {}

  static async start(api: Client, onReply: (reply: Reply) => void = () => undefined): Promise<Subscriber> {
    const coffee = { name: 'Coffee', price: 9.9, currency: 'EUR', vat: 0.19, active: true };
    const items = [{ product: idIn(await api.made('/products', coffee)), quantity: 1 }];
    const plan = { name: 'Monthly', interval_unit: 'MONTH', items, prepay: true };
    return new Subscriber(api, idIn(await api.made('/plans', plan)), onReply);
  }

  /** Resolves once the service has acknowledged the subscription; fails on a permanent refusal. */
  async subscribe(name: string): Promise<Subscribed> {
    const user = await this.make('/users', { name });
    const method = await this.make('/payment_methods', { payment_method: 'stripe', user });
    const card = { payment_method_id: 'pm_card_visa' };
    await this.repeated((api) => api.put(`/payment_methods/${method}`, card));
    const body = { plan: this.plan, user, payment_method: method, start_now: true };
    return { user, subscription: await this.make('/subscriptions', body) };
  }

  private async make(path: string, body: object): Promise<string> {
    const reply = await this.repeated((api) => api.post(path, body));
    return idIn(reply.body as { _id: { $oid: string } });
  }

  /** Sends a request until it succeeds, always under the same Idempotency-Key. */
  private async repeated(send: (api: Client) => Promise<Reply>): Promise<Reply> {
    const api = this.api.with({ 'idempotency-key': crypto.randomUUID() });
    const end = performance.now() + PATIENCE_MS;
    for (;;) {
      const reply = await send(api);
      this.onReply(reply);
      if (reply.status < 300) return reply;
      if (!PASSING.has(reply.status) || performance.now() > end)
        throw new Error(`a request was answered ${String(reply.status)}: ${reply.text}`);
      await pause(200);
    }
  }
}
