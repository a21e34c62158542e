import type { Sweep } from '@commerce/jobs';
import { backoffMs } from '@commerce/kernel';
import { withLogContext, spread, type Log, type Metrics } from '@commerce/platform';

/** A pass that takes longer has found more than one worker should do alone. */
const LONG_PASS_MS = 3000;

/** The longest wait before a failing sweep runs again. */
const LONGEST_WAIT_MS = 30_000;
const MOST_INTERVALS = 32;

interface Context {
  readonly intervalMs: number;
  readonly metrics: Metrics;
  readonly log: Log;
  /** Whether this worker runs this sweep again. */
  goesOn(sweep: RepeatedSweep): boolean;
  /** Called after each pass. */
  passed(): void;
}

/** The passes of one sweep in this worker, one at a time. */
export class RepeatedSweep {
  private readonly began = performance.now();
  private readonly intervalMs: number;
  private timer: NodeJS.Timeout | null = null;
  private running: Promise<void> | null = null;
  /** When the running pass began, or how long the last one took, in milliseconds. */
  private started = 0;
  private tookMs = 0;
  private failures = 0;
  private hasRun = false;
  private stopped = false;

  constructor(
    private readonly sweep: Sweep,
    private readonly context: Context,
  ) {
    this.intervalMs = context.intervalMs * sweep.everyIntervals;
  }

  get name(): string {
    return this.sweep.name;
  }

  /** Begins a pass if it is this worker's turn, or its first, and none runs or is planned. */
  wake(): void {
    if (this.timer !== null || this.running !== null) return;
    if (!this.hasRun || this.context.goesOn(this)) this.schedule(0);
  }

  /** Whether a pass takes so long that other workers should sweep, too. */
  get needsHelp(): boolean {
    const ms = this.running === null ? this.tookMs : performance.now() - this.started;
    return this.failures === 0 && ms > LONG_PASS_MS;
  }

  /** The pass that runs; null between two passes. */
  get pass(): Promise<void> | null {
    return this.running;
  }

  /** Begins no further pass. */
  stop(): void {
    this.stopped = true;
    if (this.timer !== null) clearTimeout(this.timer);
  }

  private schedule(wait: number): void {
    if (this.stopped) return;
    this.timer = setTimeout(() => {
      this.timer = null;
      this.running = this.run().finally(() => {
        this.running = null;
        if (this.context.goesOn(this)) this.schedule(this.wait());
        this.context.passed();
      });
    }, wait);
  }

  private async run(): Promise<void> {
    const { name, run } = this.sweep;
    const { log, metrics } = this.context;
    this.started = performance.now();
    this.hasRun = true;
    try {
      await withLogContext({ sweep: name }, run);
      this.failures = 0;
    } catch (error) {
      this.failures += 1;
      if (isWorthLogging(this.failures))
        log.error({ error, sweep: name, failures: this.failures }, 'A sweep failed');
    }
    const outcome = this.failures === 0 ? 'done' : 'failed';
    this.tookMs = performance.now() - this.started;
    metrics.sweep(name, outcome, this.tookMs / 1000);
  }

  /** Sweeps that run together cost less than sweeps that wake an idle process one by one. */
  private wait(): number {
    const { intervalMs, failures } = this;
    if (failures > 0) {
      const longestMs = Math.max(intervalMs, Math.min(LONGEST_WAIT_MS, intervalMs * MOST_INTERVALS));
      return spread(backoffMs(failures, { firstMs: intervalMs, longestMs }));
    }
    const rest = intervalMs - ((performance.now() - this.began) % intervalMs);
    return rest < intervalMs / 2 ? rest + intervalMs : rest;
  }
}

/** The first failure in a row, and then less and less often: while the database is away, every attempt fails. */
export function isWorthLogging(failures: number): boolean {
  return Number.isInteger(Math.log2(failures));
}
