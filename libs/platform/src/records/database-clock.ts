import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';

import { SystemClock } from '../time/system-clock.js';

const REFRESH_MS = 10_000;

/**
 * The database's time: asked for every ten seconds, and carried on in between by a clock that only moves forward.
 * Leases and due dates that several processes share go by it, so that machines whose clocks differ, or jump, agree.
 */
@Injectable()
export class DatabaseClock {
  private measured: { readonly server: number; readonly at: number } | null = null;
  private measuring: Promise<void> | null = null;

  constructor(
    @InjectConnection() private readonly connection: Connection,
    private readonly machine: SystemClock,
  ) {}

  /** The database's time. The first call waits for an answer, and fails when the database is away. */
  async now(): Promise<Date> {
    if (this.measured === null) await this.measure();
    return this.read();
  }

  /** The same without waiting; this machine's time until the database has answered once. */
  read(): Date {
    if (this.measured === null) return this.machine.now();
    const age = performance.now() - this.measured.at;
    // This call still carries on from the old measurement, which drifts very little; the next one gets the new.
    if (age > REFRESH_MS) this.measure().catch(() => undefined);
    return new Date(this.measured.server + age);
  }

  private measure(): Promise<void> {
    this.measuring ??= this.ask().finally(() => {
      this.measuring = null;
    });
    return this.measuring;
  }

  private async ask(): Promise<void> {
    const before = performance.now();
    const answer = await this.connection.db?.command({ hello: 1 });
    const after = performance.now();
    const time: unknown = answer?.['localTime'];
    if (!(time instanceof Date)) throw new Error('the database did not report its time');
    this.measured = { server: time.getTime(), at: (before + after) / 2 };
  }
}
