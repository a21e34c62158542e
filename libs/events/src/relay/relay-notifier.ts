import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { backoffMs, type Backoff } from '@commerce/kernel';
import { OutboxSignal } from '@commerce/data';
import { JobQueue } from '@commerce/jobs';
import { type Id } from '@commerce/records';

import { relayJob, relayRequest } from './relay.job.js';

/**
 * At most one job for a company is added in this time; commits in between lead to one more at its end. While they do,
 * the time doubles up to the longest: the more there is to relay, the more goes together.
 */
const THROTTLE: Backoff = { firstMs: 25, longestMs: 200 };

interface Throttled {
  again: boolean;
  readonly timer: NodeJS.Timeout;
}

/** After a commit, tells the relay that a company has new events. If that is lost, the sweep finds them. */
@Injectable()
export class RelayNotifier implements OnModuleInit, OnApplicationShutdown {
  private readonly throttled = new Map<string, Throttled>();

  constructor(
    private readonly signal: OutboxSignal,
    private readonly jobs: JobQueue,
  ) {}

  onModuleInit(): void {
    this.signal.listen((company) => this.notify(company));
  }

  onApplicationShutdown(): void {
    for (const { timer } of this.throttled.values()) clearTimeout(timer);
    this.throttled.clear();
  }

  private notify(company: Id): void {
    const throttled = this.throttled.get(company.toHexString());
    if (throttled) throttled.again = true;
    else this.addJob(company, 0);
  }

  private addJob(company: Id, before: number): void {
    const key = company.toHexString();
    const timer = setTimeout(
      () => {
        const again = this.throttled.get(key)?.again === true;
        this.throttled.delete(key);
        if (again) this.addJob(company, before + 1);
      },
      backoffMs(before, THROTTLE),
    );
    this.throttled.set(key, { again: false, timer });
    // Where no job was added, the sweep relays the events.
    this.jobs.add(relayJob, relayRequest(company)).catch(() => undefined);
  }
}
