import { Inject, Injectable, type OnApplicationShutdown, type OnModuleDestroy } from '@nestjs/common';
import { JobExplorer, type Sweep } from '@commerce/jobs';
import { backoffMs } from '@commerce/kernel';
import { CONFIG, Log, Metrics, spread, withLogContext, type Config } from '@commerce/platform';

/** The longest wait before a failing sweep runs again. */
const LONGEST_WAIT_MS = 30_000;
const MOST_INTERVALS = 32;

interface Running {
  readonly sweep: Sweep;
  timer: NodeJS.Timeout | null;
  failures: number;
  pass: Promise<void>;
}

/**
 * Runs every sweep at the start and then repeatedly, each on its own timer with jitter, so that workers do not sweep
 * simultaneously. The sweeps, not the queues, guarantee that due work is found.
 */
@Injectable()
export class SweepClock implements OnModuleDestroy, OnApplicationShutdown {
  private readonly running: Running[] = [];
  private stopped = false;

  constructor(
    @Inject(CONFIG) private readonly config: Pick<Config, 'sweepIntervalMs'>,
    private readonly explorer: JobExplorer,
    private readonly metrics: Metrics,
    private readonly log: Log,
  ) {}

  /** Throws when two sweeps have the same name. */
  start(): void {
    for (const sweep of this.explorer.sweeps()) {
      const one: Running = { sweep, timer: null, failures: 0, pass: Promise.resolve() };
      this.running.push(one);
      this.schedule(one, 0);
    }
  }

  /** Starts no further pass. */
  onModuleDestroy(): void {
    this.stopped = true;
    for (const { timer } of this.running) if (timer) clearTimeout(timer);
  }

  /** Waits for the passes that still run; the queues that they feed accept no more work by now. */
  async onApplicationShutdown(): Promise<void> {
    await Promise.allSettled(this.running.map((one) => one.pass));
  }

  private schedule(one: Running, wait: number): void {
    if (this.stopped) return;
    one.timer = setTimeout(() => {
      one.pass = this.pass(one)
        .catch((error: unknown) => this.log.error({ error, sweep: one.sweep.name }, 'A sweep failed'))
        .finally(() => this.schedule(one, this.wait(one)));
    }, wait);
  }

  private async pass(one: Running): Promise<void> {
    const { name, run } = one.sweep;
    const started = performance.now();
    try {
      await withLogContext({ sweep: name }, run);
      one.failures = 0;
    } catch (error) {
      one.failures += 1;
      // Logged at the first failure and then less and less often: while the database is unreachable, every pass fails.
      if (Number.isInteger(Math.log2(one.failures)))
        this.log.error({ error, sweep: name, failures: one.failures }, 'A sweep failed');
    }
    const outcome = one.failures === 0 ? 'done' : 'failed';
    this.metrics.sweep(name, outcome, (performance.now() - started) / 1000);
  }

  private wait({ failures }: Running): number {
    const interval = this.config.sweepIntervalMs;
    const longest = Math.max(interval, Math.min(LONGEST_WAIT_MS, interval * MOST_INTERVALS));
    return spread(backoffMs(failures, { firstMs: interval, longestMs: longest }));
  }
}
