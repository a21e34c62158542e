import { Inject, Injectable, type OnApplicationShutdown, type OnModuleDestroy } from '@nestjs/common';
import { JobExplorer } from '@commerce/jobs';
import { CONFIG, Log, Metrics, type Config } from '@commerce/platform';

import { isWorthLogging, RepeatedSweep } from './repeated-sweep.js';
import { SweepLeaseStore } from './sweep-lease.store.js';

/**
 * Runs every sweep at the start, and then about once in every interval in the worker that holds the lease; in the other
 * workers only those sweeps that need help. The sweeps, not the queues, guarantee that due work is found.
 */
@Injectable()
export class SweepClock implements OnModuleDestroy, OnApplicationShutdown {
  private sweeps: readonly RepeatedSweep[] = [];
  private timer: NodeJS.Timeout | null = null;
  /** The last call of the lease. */
  private holding: Promise<void> = Promise.resolve();
  private failures = 0;
  private stopped = false;

  constructor(
    @Inject(CONFIG) private readonly config: Pick<Config, 'sweepIntervalMs'>,
    private readonly explorer: JobExplorer,
    private readonly lease: SweepLeaseStore,
    private readonly metrics: Metrics,
    private readonly log: Log,
  ) {}

  /** Throws when two sweeps have the same name. */
  start(): void {
    const context = {
      intervalMs: this.config.sweepIntervalMs,
      metrics: this.metrics,
      log: this.log,
      goesOn: ({ name }: RepeatedSweep) => this.lease.isHeld || this.lease.shared.includes(name),
      passed: () => this.passed(),
    };
    this.sweeps = this.explorer.sweeps().map((sweep) => new RepeatedSweep(sweep, context));
    this.holdIn(0);
  }

  /** Begins no further pass, and lets another worker sweep. */
  onModuleDestroy(): void {
    this.stopped = true;
    if (this.timer !== null) clearTimeout(this.timer);
    // Not awaited here: a database that does not reply must not keep this worker from pausing its queues.
    this.holding = this.holding
      .then(() => this.lease.release())
      .catch((error: unknown) => this.log.warn({ error }, 'The lease of the sweeps ends by itself'));
    for (const sweep of this.sweeps) sweep.stop();
  }

  /** Waits for the passes that still run; the queues that they feed accept no more work by now. */
  async onApplicationShutdown(): Promise<void> {
    await Promise.allSettled([this.holding, ...this.sweeps.map(({ pass }) => pass)]);
  }

  private holdIn(wait: number): void {
    if (this.stopped) return;
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.timer = null;
      this.holding = this.hold();
    }, wait);
  }

  /** Renews the lease, or asks for it, and begins the sweeps that are this worker's from now on. */
  private async hold(): Promise<void> {
    const needed = this.needingHelp();
    let wait = this.lease.durationMs;
    try {
      wait = await this.lease.hold(needed);
      this.failures = 0;
    } catch (error) {
      this.failures += 1;
      if (isWorthLogging(this.failures))
        this.log.error({ error, failures: this.failures }, 'The lease of the sweeps cannot be reached');
    }
    for (const sweep of this.sweeps) sweep.wake();
    this.holdIn(wait);
  }

  /** After a pass: the others learn soon that it needs help; the figures of a worker that no longer sweeps are old. */
  private passed(): void {
    if (!this.lease.isHeld) this.metrics.forgetDue();
    else if (this.timer !== null && this.needingHelp().join() !== this.lease.shared.join()) this.holdIn(0);
  }

  private needingHelp(): string[] {
    return this.sweeps.filter(({ needsHelp }) => needsHelp).map(({ name }) => name);
  }
}
