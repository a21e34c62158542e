import { setTimeout as wait } from 'node:timers/promises';

import type { RateLimiter } from '@commerce/platform';

import { NotSent } from './card-provider.js';

/** How long a request waits for its turn before it is given back as not sent. */
const PATIENCE_MS = 5_000;

/** The longest pause after the provider has said that it gets too many requests. */
const LONGEST_PAUSE_MS = 8_000;

/**
 * Keeps all processes together below the rate that an account of the provider accepts. Where the provider says 429
 * all the same, this process pauses, for longer each time in a row.
 */
export class ProviderPace {
  private refusals = 0;
  private pausedUntil = 0;

  constructor(
    private readonly limiter: RateLimiter,
    private readonly account: string,
    private readonly perSecond: number,
  ) {}

  /** Resolves when a request may be sent. Throws NotSent where that would take too long. */
  async turn(): Promise<void> {
    const deadline = performance.now() + PATIENCE_MS;
    for (;;) {
      const pause = this.pausedUntil - performance.now();
      const { allowed, retryAfterMs } =
        pause > 0
          ? { allowed: false, retryAfterMs: pause }
          : await this.limiter.take(`provider-${this.account}`, {
              perSecond: this.perSecond,
              burst: Math.ceil(this.perSecond / 4),
            });
      if (allowed) return;
      if (performance.now() + retryAfterMs > deadline) throw new NotSent('too many requests to the provider');
      await wait(retryAfterMs);
    }
  }

  accepted(): void {
    this.refusals = 0;
  }

  /** The provider gets too many requests. */
  refused(): void {
    // Of requests that were under way together, the first one counts.
    if (this.pausedUntil > performance.now()) return;
    this.refusals += 1;
    this.pausedUntil = performance.now() + Math.min(LONGEST_PAUSE_MS, 2 ** (this.refusals - 1) * 500);
  }
}
