import { Injectable, type OnModuleInit, type Type } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';

import type { TestClockRecord } from './test-clock.record.js';

/** Work that falls due on test clocks beside the billing of subscriptions. */
export interface ClockWork {
  /** Does what falls due on a clock up to a date: in the order of the dates, each at its own. */
  runUntil(clock: TestClockRecord, date: Date): Promise<void>;
}

/** Finds the work among the providers of all modules. */
const CLOCK_WORK = DiscoveryService.createDecorator();

/** Marks a provider whose work falls due on test clocks; listing it in a module is all else that it needs. */
export function RunsOnTestClocks() {
  return (work: Type<ClockWork>): void => {
    CLOCK_WORK()(work);
  };
}

/** All that falls due on test clocks, as found among the providers of this process. */
@Injectable()
export class ClockWorkRunner implements OnModuleInit {
  private works: readonly ClockWork[] = [];

  constructor(private readonly discovery: DiscoveryService) {}

  onModuleInit(): void {
    const found = this.discovery.getProviders({ metadataKey: CLOCK_WORK.KEY });
    this.works = found.map(({ instance }) => instance as ClockWork);
  }

  async runUntil(clock: TestClockRecord, date: Date): Promise<void> {
    for (const work of this.works) await work.runUntil(clock, date);
  }
}
