import { LRUCache } from 'lru-cache';

interface SlowResultsOptions {
  /** A result that took longer is kept. */
  readonly slowMs: number;
  /** A shared computation goes on for at most this time, also after its caller has left. */
  readonly computeMs: number;
  /** It is kept for this many times as long as it took, at most for `longestMs`. */
  readonly times: number;
  readonly longestMs: number;
  /** A caller waits for at most this time. */
  readonly replyMs: number;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
}

/** For callers over HTTP: repeated questions take a tenth of a core at most. */
const DEFAULTS: SlowResultsOptions = {
  slowMs: 1000,
  computeMs: 120_000,
  times: 10,
  longestMs: 300_000,
  replyMs: 20_000,
  now: () => performance.now(),
};

interface Kept<T> {
  readonly result: T;
  readonly until: number;
}

interface Running<T> {
  readonly result: Promise<T>;
  readonly since: number;
}

const MAX_KEPT = 1000;

/**
 * Shares results that take long to compute. What takes no longer than `slowMs` is computed for each caller; what takes
 * longer is computed once for all who ask meanwhile, goes on when a caller no longer waits, and is kept for a while, so
 * that repeated questions cannot take more than a fixed share of the processor.
 */
export class SlowResults<T extends object> {
  private readonly kept = new LRUCache<string, Kept<T>>({ max: MAX_KEPT });
  private readonly running = new Map<string, Running<T>>();
  private readonly options: SlowResultsOptions;

  constructor(options: Partial<SlowResultsOptions> = {}) {
    this.options = { ...DEFAULTS, ...options };
  }

  /**
   * The result; null where it was not computed in time: asked again, it may be there.
   * @param key null: the result is computed for this caller alone, who waits for it
   */
  async get(key: string | null, compute: (signal: AbortSignal) => Promise<T>): Promise<T | null> {
    const { replyMs, slowMs } = this.options;
    if (key === null) return compute(AbortSignal.timeout(replyMs));
    const kept = this.kept.get(key);
    if (kept !== undefined && this.now() < kept.until) return kept.result;
    const running = this.running.get(key);
    const isSlow = running !== undefined && this.now() - running.since > slowMs;
    return this.inTime(isSlow ? running.result : this.begin(key, compute));
  }

  private now(): number {
    return this.options.now();
  }

  private begin(key: string, compute: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const since = this.now();
    const started: Running<T> = { result: compute(AbortSignal.timeout(this.options.computeMs)), since };
    this.running.set(key, started);
    const end = (): void => {
      if (this.running.get(key) === started) this.running.delete(key);
    };
    started.result.then((result) => {
      end();
      this.keep(key, result, this.now() - since);
    }, end);
    return started.result;
  }

  private keep(key: string, result: T, tookMs: number): void {
    const { slowMs, times, longestMs } = this.options;
    if (tookMs > slowMs)
      this.kept.set(key, { result, until: this.now() + Math.min(times * tookMs, longestMs) });
  }

  private async inTime(result: Promise<T>): Promise<T | null> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<null>((resolve) => {
      timer = setTimeout(() => resolve(null), this.options.replyMs);
    });
    try {
      return await Promise.race([result, late]);
    } finally {
      clearTimeout(timer);
    }
  }
}
