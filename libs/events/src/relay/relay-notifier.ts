import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { JobQueue, OutboxSignal, type Id } from '@commerce/platform';

import { relayJob, relayRequest } from './relay.job.js';

/** At most one job for a company is added in this time; commits in between lead to one more at its end. */
const THROTTLE_MS = 25;

/** After a commit, tells the relay that a company has new events. If that is lost, the sweep finds them. */
@Injectable()
export class RelayNotifier implements OnModuleInit, OnApplicationShutdown {
  private readonly throttled = new Map<string, { again: boolean; readonly timer: NodeJS.Timeout }>();

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
    const key = company.toHexString();
    const throttled = this.throttled.get(key);
    if (throttled) throttled.again = true;
    else this.addJob(key);
  }

  private addJob(company: string): void {
    const timer = setTimeout(() => {
      const again = this.throttled.get(company)?.again === true;
      this.throttled.delete(company);
      if (again) this.addJob(company);
    }, THROTTLE_MS);
    this.throttled.set(company, { again: false, timer });
    // Where no job was added, the sweep relays the events.
    this.jobs.add(relayJob, relayRequest(company)).catch(() => undefined);
  }
}
