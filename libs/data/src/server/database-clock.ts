import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';

import { SystemClock } from '@commerce/platform';

const REFRESH_MS = 10_000;

/** By how much the clocks of two machines may part, as a share of the time. */
const DRIFT = 1e-4;

/** The clock of a server that was set back by more than this is followed. */
const STEP_BACK_MS = 1000;

interface Measurement {
  readonly server: number;
  readonly at: number;
  /** The answer may have been given this long before or after the middle of the call. */
  readonly uncertainty: number;
}

/**
 * The database's time: asked for every ten seconds, and carried on in between by a clock that only moves forward.
 * Leases and due dates that several processes share go by it, so that machines whose clocks differ, or jump, agree.
 */
@Injectable()
export class DatabaseClock implements OnModuleInit {
  private measured: Measurement | null = null;
  private checkedAt = -Infinity;
  /** The latest time that was read: what follows is never earlier. */
  private latest = -Infinity;
  private measuring: Promise<void> | null = null;

  constructor(
    @InjectConnection() private readonly connection: Connection,
    private readonly machine: SystemClock,
  ) {}

  /** A process that starts while the database is away uses its machine's time until the database is back. */
  async onModuleInit(): Promise<void> {
    await this.measure().catch(() => undefined);
  }

  /** The database's time. The first call waits for an answer, and fails when the database is away. */
  async now(): Promise<Date> {
    if (this.measured === null) await this.measure();
    return this.read();
  }

  /** The same without waiting; this machine's time until the database has answered once. */
  read(): Date {
    const at = performance.now();
    // This call still carries on from the old measurement, which drifts very little; the next one gets the new.
    if (at - this.checkedAt > REFRESH_MS) this.measure().catch(() => undefined);
    const { measured } = this;
    const time = measured === null ? this.machine.now().getTime() : measured.server + at - measured.at;
    // A new measurement may be some milliseconds behind the one before.
    if (time > this.latest || this.latest - time > STEP_BACK_MS) this.latest = time;
    return new Date(this.latest);
  }

  private measure(): Promise<void> {
    this.checkedAt = performance.now();
    this.measuring ??= this.ask().finally(() => {
      this.measuring = null;
    });
    return this.measuring;
  }

  private async ask(): Promise<void> {
    const before = performance.now();
    const answer = await this.connection.db?.command({ hello: 1 });
    const after = performance.now();
    const server = msOf(answer?.['localTime']);
    if (server === null) throw new Error('the database did not report its time');
    const at = (before + after) / 2;
    const measured = { server, at, uncertainty: (after - before) / 2 };
    const old = this.measured;
    // A call that took long says less than an older one that was quick.
    if (old === null || measured.uncertainty <= old.uncertainty + (at - old.at) * DRIFT)
      this.measured = measured;
  }
}

/** The time of a server, which most report as a date, and DocumentDB as milliseconds. */
export function msOf(time: unknown): number | null {
  const ms = Object.prototype.toString.call(time) === '[object Date]' ? (time as Date).getTime() : time;
  return typeof ms === 'number' && Number.isFinite(ms) ? ms : null;
}
