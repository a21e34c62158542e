import { setTimeout as pause } from 'node:timers/promises';

import { Subscriber, type Client } from '@commerce/testing';

const WRITERS = 4;
/** The most charges that the provider lists in one page, which must include all of them. */
const MOST = 100 - WRITERS;
/** The pause between two customers of a writer. */
const REST_MS = 400;

/** Writers that subscribe new customers, and repeat temporarily refused requests. */
export class Load {
  /** The users and subscriptions that the service has acknowledged. */
  readonly users = new Set<string>();
  readonly subscriptions = new Set<string>();
  /** The number of replies by status. */
  readonly statuses = new Map<number, number>();
  private stopped = false;
  private number = 0;

  constructor(private readonly api: Client) {}

  /** Resolves once all writers have ended after `stop`; rejects with a writer's final refusal. */
  async run(): Promise<void> {
    const subscriber = await Subscriber.start(this.api, ({ status }) => {
      this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
    });
    await Promise.all(Array.from({ length: WRITERS }, () => this.write(subscriber)));
  }

  stop(): void {
    this.stopped = true;
  }

  private async write(subscriber: Subscriber): Promise<void> {
    while (!this.stopped && this.subscriptions.size < MOST) {
      this.number += 1;
      const { user, subscription } = await subscriber.subscribe(`Customer ${String(this.number)}`);
      this.users.add(user);
      this.subscriptions.add(subscription);
      await pause(REST_MS);
    }
  }
}
