import { setTimeout as pause } from 'node:timers/promises';

import { Subscriber, type Client } from '@commerce/testing';

const WRITERS = 4;
/** The pause between two customers of a writer. */
const REST_MS = 400;

/** The replies of the service to all writers. */
export interface Replies {
  /** The number of replies by status. */
  readonly statuses: Map<number, number>;
  /** The longest time until a reply that refused a request for the moment. */
  slowestRefusalMs: number;
}

/** Writers that subscribe new customers of a company and sell to them, and repeat temporarily refused requests. */
export class Load {
  /** The users, subscriptions and orders that the service has acknowledged. */
  readonly users = new Set<string>();
  readonly subscriptions = new Set<string>();
  readonly orders = new Set<string>();
  private stopped = false;
  private number = 0;

  constructor(
    readonly api: Client,
    private readonly replies: Replies,
  ) {}

  /** Resolves once all writers have ended after `stop`; rejects with a writer's final refusal. */
  async run(): Promise<void> {
    const { replies } = this;
    const subscriber = await Subscriber.start(this.api, ({ status }, ms) => {
      replies.statuses.set(status, (replies.statuses.get(status) ?? 0) + 1);
      if (status >= 300) replies.slowestRefusalMs = Math.max(replies.slowestRefusalMs, ms);
    });
    await Promise.all(Array.from({ length: WRITERS }, () => this.write(subscriber)));
  }

  stop(): void {
    this.stopped = true;
  }

  private async write(subscriber: Subscriber): Promise<void> {
    while (!this.stopped) {
      this.number += 1;
      const customer = await subscriber.subscribe(`Customer ${String(this.number)}`);
      this.users.add(customer.user);
      this.subscriptions.add(customer.subscription);
      this.orders.add(await subscriber.sellTo(customer));
      await pause(REST_MS);
    }
  }
}
