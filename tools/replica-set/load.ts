import { setTimeout as pause } from 'node:timers/promises';

import { idIn, type Client, type Reply } from '@commerce/testing';

/** How long one request may be repeated. */
const PATIENCE_MS = 60_000;
const WRITERS = 4;
/** The provider lists this many charges at once, and all are wanted afterwards. */
const MOST = 100 - WRITERS;
/** Between one customer of a writer and the next. */
const REST_MS = 400;

/** What a client may be told while there is no primary; it repeats the request with its key. */
const PASSING = new Set([503, 409, 429]);

/** Writers that subscribe new customers, and repeat what was refused for the moment. */
export class Load {
  /** The users and subscriptions that the service has acknowledged. */
  readonly users = new Set<string>();
  readonly subscriptions = new Set<string>();
  /** Replies by status. */
  readonly statuses = new Map<number, number>();
  private stopped = false;
  private number = 0;

  constructor(
    private readonly api: Client,
    private readonly plan: string,
  ) {}

  /** Resolves once all writers have ended after `stop`; fails with what a writer was told for good. */
  async run(): Promise<void> {
    await Promise.all(Array.from({ length: WRITERS }, () => this.write()));
  }

  stop(): void {
    this.stopped = true;
  }

  private async write(): Promise<void> {
    while (!this.stopped && this.subscriptions.size < MOST) {
      this.number += 1;
      const user = await this.make('/users', { name: `Customer ${String(this.number)}` });
      this.users.add(user);
      const method = await this.make('/payment_methods', { payment_method: 'stripe', user });
      const card = { payment_method_id: 'pm_card_visa' };
      await this.repeated((api) => api.put(`/payment_methods/${method}`, card));
      const body = { plan: this.plan, user, payment_method: method, start_now: true };
      this.subscriptions.add(await this.make('/subscriptions', body));
      await pause(REST_MS);
    }
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
      this.statuses.set(reply.status, (this.statuses.get(reply.status) ?? 0) + 1);
      if (reply.status < 300) return reply;
      if (!PASSING.has(reply.status) || performance.now() > end)
        throw new Error(`a request was answered ${String(reply.status)}: ${reply.text}`);
      await pause(200);
    }
  }
}
