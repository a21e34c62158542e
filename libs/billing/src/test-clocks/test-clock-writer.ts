import { Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { RunsOnTestClocks, TestClockStore, type TestClockRecord } from '@commerce/identity';
import { isFault } from '@commerce/kernel';
import { DatabaseClock, OutboxSignal, UnitsOfWork } from '@commerce/data';

/** Writes to an advancing clock. The version of its record fences off a second run of the same clock. */
@Injectable()
export class TestClockWriter {
  constructor(
    private readonly store: TestClockStore,
    private readonly units: UnitsOfWork,
    private readonly clock: DatabaseClock,
    private readonly discovery: DiscoveryService,
    private readonly outbox: OutboxSignal,
  ) {}

  /** Moves the clock forward to a date, once all other work due by then is done; null when another run was faster. */
  async move(clock: TestClockRecord, to: Date): Promise<TestClockRecord | null> {
    if (to <= clock.frozen_time) return clock;
    await this.runOtherWork(clock, to);
    return this.write(clock, { frozen_time: to });
  }

  /** Moves the clock to its target in the same way. It is ready once the events of its run are in the log. */
  async arrive(clock: TestClockRecord): Promise<TestClockRecord | null> {
    const frozen_time = clock.target_time ?? clock.frozen_time;
    await this.runOtherWork(clock, frozen_time);
    await this.outbox.flush(clock.company);
    return this.write(clock, {
      frozen_time,
      status: 'ready',
      target_time: null,
      run_at: null,
      fruitless_runs: 0,
    });
  }

  private async runOtherWork(clock: TestClockRecord, until: Date): Promise<void> {
    for (const work of RunsOnTestClocks.in(this.discovery)) await work.runUntil(clock, until);
  }

  private async write(
    clock: TestClockRecord,
    changes: Partial<TestClockRecord>,
  ): Promise<TestClockRecord | null> {
    const work = this.units.begin(clock.company, this.clock.read());
    const after = work.update(this.store, clock, changes);
    try {
      await work.commit();
    } catch (error) {
      if (isFault(error, 'record.conflict')) return null;
      throw error;
    }
    return after;
  }
}
