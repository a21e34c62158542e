import { setTimeout as wait } from 'node:timers/promises';

import { backoffMs, type Backoff } from '@commerce/kernel';
import { Scoped, type RateLimiter, type TurnScheduler } from '@commerce/platform';

import { NotSent } from '../provider/card-provider.js';
import { TurnQueue, TOO_MANY, type PaceRule } from './turn-queue.js';

/**
 * Time for which a request waits for its turn before it is returned as not sent; a lease leaves time for the call, too.
 */
const PATIENCE_MS = { requests: 5_000, background: 10_000 };

/** Time for which work that has not begun waits for a turn before it is postponed. */
const PATIENCE_TO_BEGIN_MS = 20_000;

/** Pauses after the provider has reported too many requests. */
const PAUSES: Backoff = { firstMs: 500, longestMs: 8_000 };

/** A turn unused for this long is lost, so that delayed requests do not go out together. */
const LATEST_MS = 1_000;

/** The account of a pace, and its rate. */
interface PaceSettings extends PaceRule {
  /** Identifies the account in Redis without its key, which must never be stored there. */
  readonly account: string;
}

/** A turn reserved for work before it began; its first request takes it. */
class Reservation {
  constructor(
    readonly pace: ProviderPace,
    private turn: number | null,
  ) {}

  /** The turn, for the first caller. */
  take(): number | null {
    const { turn } = this;
    this.turn = null;
    return turn;
  }
}

const begun = new Scoped<Reservation>();

/**
 * Keeps all processes together below the rate that an account of the provider accepts. If the provider still returns
 * 429, all of them pause, for longer each time in a row; without Redis, only the process that received it does.
 */
export class ProviderPace {
  private refusals = 0;
  private pausedUntil = 0;
  private isClosing = false;
  private readonly key: string;
  private readonly queue: TurnQueue;

  constructor(
    schedule: TurnScheduler,
    private readonly limiter: RateLimiter,
    private readonly settings: PaceSettings,
  ) {
    this.key = `{provider-${settings.account}}`;
    this.queue = new TurnQueue(schedule, this.key, settings, (ms) => this.pauseHeard(ms));
  }

  /**
   * Resolves when a request may be sent.
   * @param company the company of the request; companies are served round robin
   * @throws NotSent where that would take too long
   */
  async turn(company: string): Promise<void> {
    const reservation = begun.get();
    const reserved = reservation?.pace === this ? reservation.take() : null;
    const deadline = performance.now() + PATIENCE_MS[this.settings.share];
    try {
      if (reserved !== null && (await this.comes(reserved))) return;
      while (!(await this.comes(await this.nextTurn(company, deadline)))) {
        if (performance.now() > deadline) throw new NotSent(TOO_MANY);
      }
    } finally {
      if (reserved !== null) this.queue.opened();
    }
  }

  /**
   * Runs work whose first request has its turn reserved before the work begins, so that it is not abandoned halfway.
   * @throws NotSent, with nothing begun, where no turn is available soon
   */
  async begin<T>(company: string, work: () => Promise<T>): Promise<T> {
    if (this.settings.perSecond === 0) return work();
    if (this.isClosing) throw new NotSent(TOO_MANY);
    const until = performance.now() + PATIENCE_TO_BEGIN_MS;
    const reservation = new Reservation(this, await this.queue.turnToBegin(company, until));
    try {
      return await begun.run(reservation, work);
    } finally {
      const unused = reservation.take();
      if (unused !== null) this.queue.giveBack(unused);
    }
  }

  accepted(): void {
    this.refusals = 0;
  }

  /** Records that the provider reported too many requests. */
  async refused(): Promise<void> {
    // Of several requests in flight together, the first refusal counts.
    if (this.pausedUntil > performance.now()) return;
    this.refusals += 1;
    const pauseMs = backoffMs(this.refusals - 1, PAUSES);
    this.pauseHeard(pauseMs);
    await this.limiter.pause(this.key, pauseMs);
  }

  /** Begins no more work, so that the process can end. */
  close(): void {
    this.isClosing = true;
    this.queue.close();
  }

  private nextTurn(company: string, deadline: number): Promise<number> {
    return this.settings.perSecond === 0 ? this.endOfPause(deadline) : this.queue.turn(company, deadline);
  }

  /** Waits for a turn; false where it must not be used: it is too old, or a pause has begun by then. */
  private async comes(turn: number): Promise<boolean> {
    const waitMs = turn - performance.now();
    if (waitMs < -LATEST_MS) return false;
    if (waitMs > 0) await wait(waitMs);
    return this.pausedUntil <= performance.now();
  }

  /** Without a limit there are no turns, but pauses. */
  private async endOfPause(deadline: number): Promise<number> {
    const own = this.pausedUntil - performance.now();
    const pausedMs = own > 0 ? own : await this.limiter.pausedFor(this.key);
    const turn = performance.now() + pausedMs;
    if (turn > deadline) throw new NotSent(TOO_MANY);
    return turn;
  }

  private pauseHeard(ms: number): void {
    this.pausedUntil = Math.max(this.pausedUntil, performance.now() + ms);
    this.queue.pauseUntil(this.pausedUntil);
  }
}
