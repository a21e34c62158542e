import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { JobQueue, OutboxSignal, type Id } from '@commerce/platform';

import { relayJob } from './relay.jobs.js';

/** A company is told of at most once in this time; what comes in between is told of at its end. */
const QUIET_MS = 25;

/** Tells the relay, after a commit, that a company has new events. The sweep finds them when this gets lost. */
@Injectable()
export class RelayNotifier implements OnModuleInit, OnApplicationShutdown {
  private readonly quiet = new Map<string, { again: boolean; readonly timer: NodeJS.Timeout }>();

  constructor(
    private readonly signal: OutboxSignal,
    private readonly jobs: JobQueue,
  ) {}

  onModuleInit(): void {
    this.signal.listen((company) => this.tell(company));
  }

  onApplicationShutdown(): void {
    for (const { timer } of this.quiet.values()) clearTimeout(timer);
    this.quiet.clear();
  }

  private tell(company: Id): void {
    const key = company.toHexString();
    const quiet = this.quiet.get(key);
    if (quiet) quiet.again = true;
    else this.kick(key);
  }

  private kick(company: string): void {
    const timer = setTimeout(() => {
      const again = this.quiet.get(company)?.again === true;
      this.quiet.delete(company);
      if (again) this.kick(company);
    }, QUIET_MS);
    this.quiet.set(company, { again: false, timer });
    void this.jobs.add(relayJob, { data: { company } });
  }
}
