import { setTimeout as wait } from 'node:timers/promises';

import type { RateLimiter } from '@commerce/platform';

import { NotSent } from './card-provider.js';

/** How long a request waits for its turn before it is given back as not sent. */
const PATIENCE_MS = 5_000;

/** The longest pause after the provider has said that it gets too many requests. */
const LONGEST_PAUSE_MS = 8_000;

/**
 * Keeps all processes together below the rate that an account of the provider accepts. Where the provider says 429 all
 * the same, all of them pause, for longer each time in a row; without Redis, the one that heard it does.
 */
export class ProviderPace {
  private refusals = 0;
  private pausedUntil = 0;
  private readonly key: string;

  constructor(
    private readonly limiter: RateLimiter,
    account: string,
    private readonly perSecond: number,
  ) {
    this.key = `provider-${account}`;
  }

  /** Resolves when a request may be sent. Throws NotSent where that would take too long. */
  async turn(): Promise<void> {
    const deadline = performance.now() + PATIENCE_MS;
    for (;;) {
      const waitMs = await this.takeTurn();
      if (waitMs === 0) return;
      if (performance.now() + waitMs > deadline) throw new NotSent('too many requests to the provider');
      await wait(waitMs);
    }
  }

  accepted(): void {
    this.refusals = 0;
  }

  /** The provider gets too many requests. */
  async refused(): Promise<void> {
    // Of requests that were under way together, the first one counts.
    if (this.pausedUntil > performance.now()) return;
    this.refusals += 1;
    const pauseMs = Math.min(LONGEST_PAUSE_MS, 2 ** (this.refusals - 1) * 500);
    this.pausedUntil = performance.now() + pauseMs;
    await this.limiter.pause(this.key, pauseMs);
  }

  /** How long to wait before asking again; 0 where a request may be sent now. */
  private async takeTurn(): Promise<number> {
    const own = this.pausedUntil - performance.now();
    const paused = own > 0 ? own : await this.limiter.pausedFor(this.key);
    if (paused > 0) return Math.ceil(paused);
    const burst = Math.ceil(this.perSecond / 4);
    const { allowed, retryAfterMs } = await this.limiter.take(this.key, { perSecond: this.perSecond, burst });
    return allowed ? 0 : Math.max(1, retryAfterMs);
  }
}
