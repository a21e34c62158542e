import { Injectable } from '@nestjs/common';

import { DeliveryStore } from './delivery.store.js';

const REFRESH_MS = 10_000;

/**
 * The database's time, asked for now and then and carried on by a clock that only goes forward. Leases and due
 * dates of deliveries run by it, so that workers whose clocks are off, or jump, agree on them.
 */
@Injectable()
export class DatabaseClock {
  private base: { readonly server: number; readonly at: number } | null = null;
  private asking: Promise<void> | null = null;

  constructor(private readonly store: DeliveryStore) {}

  /** The time, asked for first where it never was. */
  async now(): Promise<Date> {
    if (this.base === null) await this.ask();
    return this.read();
  }

  /** The time as carried on. Before it was ever asked for, this machine's. */
  read(): Date {
    if (this.base === null) return new Date();
    const age = performance.now() - this.base.at;
    // Stale is good enough for this once; what comes next gets the fresh one.
    if (age > REFRESH_MS) this.ask().catch(() => undefined);
    return new Date(this.base.server + age);
  }

  private ask(): Promise<void> {
    this.asking ??= this.measure().finally(() => {
      this.asking = null;
    });
    return this.asking;
  }

  private async measure(): Promise<void> {
    const before = performance.now();
    const server = (await this.store.serverTime()).getTime();
    const after = performance.now();
    this.base = { server, at: (before + after) / 2 };
  }
}
