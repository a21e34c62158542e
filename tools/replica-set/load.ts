import { setTimeout as pause } from 'node:timers/promises';

import { Subscriber, type Client } from '@commerce/testing';

const WRITERS = 4;
/** The provider lists this many charges at once, and all are wanted afterwards. */
const MOST = 100 - WRITERS;
/** Between one customer of a writer and the next. */
const REST_MS = 400;

/** Writers that subscribe new customers, and repeat what was refused for the moment. */
export class Load {
  /** The users and subscriptions that the service has acknowledged. */
  readonly users = new Set<string>();
  readonly subscriptions = new Set<string>();
  /** Replies by status. */
  readonly statuses = new Map<number, number>();
  private stopped = false;
  private number = 0;

  constructor(private readonly api: Client) {}

  /** Resolves once all writers have ended after `stop`; fails with what a writer was told for good. */
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
