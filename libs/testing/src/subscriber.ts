import { setTimeout as pause } from 'node:timers/promises';

import { idIn, type Client, type Reply } from './client.js';

/** The statuses with which the service asks to repeat a request. */
const PASSING = new Set([503, 409, 429]);

/** Time during which one request may be repeated. */
const PATIENCE_MS = 120_000;

interface Subscribed {
  readonly user: string;
  readonly method: string;
  readonly subscription: string;
}

/** Subscribes customers to a plan of its own and sells them a product, and repeats each request until it succeeds. */
export class Subscriber {
  private constructor(
    private readonly api: Client,
    private readonly sold: { readonly product: string; readonly plan: string },
    private readonly onReply: (reply: Reply, ms: number) => void,
  ) {}

  static async start(
    api: Client,
    onReply: (reply: Reply, ms: number) => void = () => undefined,
  ): Promise<Subscriber> {
    const coffee = { name: 'Coffee', price: 9.9, currency: 'EUR', vat: 0.19, active: true };
    const product = idIn(await api.made('/products', coffee));
    const items = [{ product, quantity: 1 }];
    const plan = { name: 'Monthly', interval_unit: 'MONTH', items, prepay: true };
    return new Subscriber(api, { product, plan: idIn(await api.made('/plans', plan)) }, onReply);
  }

  /** Resolves once the service has acknowledged the subscription; fails on a permanent refusal. */
  async subscribe(name: string): Promise<Subscribed> {
    const user = await this.make('/users', { name });
    const method = await this.make('/payment_methods', { payment_method: 'stripe', user });
    const card = { payment_method_id: 'pm_card_visa' };
    await this.repeated((api) => api.put(`/payment_methods/${method}`, card));
    const body = { plan: this.sold.plan, user, payment_method: method, start_now: true };
    return { user, method, subscription: await this.make('/subscriptions', body) };
  }

  /** Sells a product to a customer; resolves to the id of the order once it is paid. */
  async sellTo({ user, method }: Subscribed): Promise<string> {
    const items = [{ product: this.sold.product, quantity: 1 }];
    return this.make('/orders', { items, user, payment_method: method });
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
      const since = performance.now();
      const reply = await send(api);
      this.onReply(reply, performance.now() - since);
      if (reply.status < 300) return reply;
      if (!PASSING.has(reply.status) || performance.now() > end)
        throw new Error(`a request was answered ${String(reply.status)}: ${reply.text}`);
      await pause(200);
    }
  }
}
