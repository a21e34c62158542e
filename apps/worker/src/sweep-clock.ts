import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import {
  CONFIG,
  JobWorkers,
  Log,
  jittered,
  withLogContext,
  type Config,
  type FoundSweep,
} from '@commerce/platform';

/** A sweep that keeps failing is tried again after at most this. */
const LONGEST_WAIT_MS = 30_000;

interface Running {
  readonly sweep: FoundSweep;
  timer: NodeJS.Timeout | null;
  failures: number;
  pass: Promise<void>;
}

/**
 * Runs every sweep at start and then again and again, each on a timer of its own with jitter, so that several
 * workers do not look at the same instant. This, and no queue, is what makes sure that due work is found.
 */
@Injectable()
export class SweepClock implements OnApplicationShutdown {
  private readonly running: Running[] = [];
  private stopped = false;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly workers: JobWorkers,
    private readonly log: Log,
  ) {}

  start(): void {
    for (const sweep of this.workers.sweeps()) {
      const one: Running = { sweep, timer: null, failures: 0, pass: Promise.resolve() };
      this.running.push(one);
      this.schedule(one, 0);
    }
  }

  /** Claims nothing more, and waits for the passes that run. */
  async stop(): Promise<void> {
    this.stopped = true;
    for (const { timer } of this.running) if (timer) clearTimeout(timer);
    await Promise.allSettled(this.running.map((one) => one.pass));
  }

  async onApplicationShutdown(): Promise<void> {
    await this.stop();
  }

  private schedule(one: Running, wait: number): void {
    if (this.stopped) return;
    one.timer = setTimeout(() => {
      one.pass = this.pass(one).finally(() => this.schedule(one, this.wait(one)));
    }, wait);
  }

  private async pass(one: Running): Promise<void> {
    try {
      await withLogContext({ sweep: one.sweep.name }, () => one.sweep.run());
      one.failures = 0;
    } catch (error) {
      one.failures += 1;
      // Said at the first failure and then more and more seldom: a database that is away fails every pass.
      if (Number.isInteger(Math.log2(one.failures)))
        this.log.error({ error, sweep: one.sweep.name }, 'A sweep failed');
    }
  }

  private wait(one: Running): number {
    const base = Math.min(this.config.sweepIntervalMs * 2 ** Math.min(one.failures, 5), LONGEST_WAIT_MS);
    return jittered(Math.max(base, this.config.sweepIntervalMs));
  }
}
