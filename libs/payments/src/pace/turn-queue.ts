import { setTimeout as wait } from 'node:timers/promises';

import { RoundRobin, type Config, type TurnScheduler } from '@commerce/platform';

import { NotSent } from '../provider/card-provider.js';

/** The reason why nothing was sent. */
export const TOO_MANY = 'too many requests to the provider';

/**
 * Turns that each share of the rate (requests, background) may reserve ahead, in seconds of the rate. Both have as
 * many, so that neither starves.
 */
const AHEAD_S = 0.25;

/** Work that has begun but not sent its request, in seconds of the rate: all of it must be sent in time. */
const OPENING_S = 0.5;

/** While requests of begun work wait, one of this many turns goes to work that has not begun. */
const ONE_BEGINS_OF = 4;

/**
 * The longest queue of one company, in seconds of the rate; requests beyond it could not be sent in time and do not
 * wait.
 */
const LONGEST_QUEUE_S = 5;

interface Waiter {
  readonly deadline: number;
  readonly resolve: (turn: number) => void;
  readonly reject: (error: NotSent) => void;
  readonly timer: NodeJS.Timeout;
}

/** The part of the account's rate that the process may use. */
export interface PaceRule {
  readonly perSecond: number;
  readonly share: Config['stripe']['share'];
}

/**
 * Requests of one process that wait for their turns. The process reserves some turns at a time and hands them to the
 * companies round robin, which p-queue cannot do; most go to requests of begun work, which cannot wait long.
 */
export class TurnQueue {
  private readonly toSend = new RoundRobin<Waiter>();
  private readonly toBegin = new RoundRobin<Waiter>();
  private handed = 0;
  /** Number of works that have a turn to begin with and have not used it. */
  private opening = 0;
  private isServing = false;
  private pausedUntil = 0;
  /** Reserved turns that were returned, in no order. */
  private spare: number[] = [];

  constructor(
    private readonly schedule: TurnScheduler,
    private readonly key: string,
    private readonly rule: PaceRule,
    private readonly onPause: (ms: number) => void,
  ) {}

  /**
   * The next turn of a request, by performance.now().
   * @throws NotSent where there is none before the deadline
   */
  async turn(company: string, deadline: number): Promise<number> {
    const isFull = this.toSend.countOf(company) >= this.rule.perSecond * LONGEST_QUEUE_S;
    if (isFull || this.pausedUntil > deadline) throw new NotSent(TOO_MANY);
    return this.wait(this.toSend, company, deadline);
  }

  /** The next turn of work that has not begun. */
  turnToBegin(company: string, deadline: number): Promise<number> {
    return this.wait(this.toBegin, company, deadline);
  }

  /** Records that work with a turn to begin with has sent its request. */
  opened(): void {
    this.opening -= 1;
    this.serve();
  }

  /** Returns the turn of work that has ended without a request. */
  giveBack(turn: number): void {
    this.spare.push(turn);
    this.opened();
    this.handSpare();
  }

  /** Skips all turns before this time. */
  pauseUntil(time: number): void {
    this.pausedUntil = time;
    for (const waiter of this.toSend.removeIf(({ deadline }) => deadline < time)) refuse(waiter);
  }

  close(): void {
    for (const waiter of this.toBegin.removeIf(() => true)) refuse(waiter);
  }

  private get waiting(): number {
    return this.toSend.size + Math.min(this.toBegin.size, this.mayBegin);
  }

  private get mayBegin(): number {
    return Math.max(1, Math.ceil(this.rule.perSecond * OPENING_S)) - this.opening;
  }

  private wait(queue: RoundRobin<Waiter>, company: string, deadline: number): Promise<number> {
    const turn = new Promise<number>((resolve, reject) => {
      const expire = (): void => queue.removeIf((one) => one === waiter).forEach(refuse);
      const timer = setTimeout(expire, deadline - performance.now());
      const waiter: Waiter = { deadline, resolve, reject, timer };
      queue.add(company, waiter);
    });
    this.handSpare();
    this.serve();
    return turn;
  }

  /** Reserves turns as long as requests wait. */
  private serve(): void {
    // After an error, waiting requests are abandoned at their deadlines.
    if (!this.isServing) this.reserveAll().catch(() => undefined);
  }

  private async reserveAll(): Promise<void> {
    this.isServing = true;
    try {
      while (this.waiting > 0) await this.reserve();
    } finally {
      this.isServing = false;
    }
  }

  private async reserve(): Promise<void> {
    const { perSecond, share } = this.rule;
    const ahead = Math.max(1, Math.ceil(perSecond * AHEAD_S));
    const wanted = Math.min(this.waiting, Math.ceil(ahead / 2));
    const { waits, retryAfterMs, pausedMs } = await this.schedule.reserve(
      this.key,
      { perSecond, share, ahead },
      wanted,
    );
    if (pausedMs > 0) this.onPause(pausedMs);
    const now = performance.now();
    for (const ms of waits) this.spare.push(now + ms);
    this.handSpare();
    if (waits.length === 0) await wait(retryAfterMs);
  }

  private handSpare(): void {
    const now = performance.now();
    if (this.pausedUntil > now) this.spare = [];
    this.spare = this.spare.filter((turn) => turn > now - 250).sort((a, b) => a - b);
    while (this.spare.length > 0) {
      const waiter = this.next();
      if (waiter === undefined) return;
      clearTimeout(waiter.timer);
      waiter.resolve(this.spare.shift() as number);
    }
  }

  private next(): Waiter | undefined {
    this.handed += 1;
    const begins = this.toSend.size === 0 || this.handed % ONE_BEGINS_OF === 0;
    const first = begins ? this.nextToBegin() : this.toSend.next();
    return first ?? this.toSend.next();
  }

  private nextToBegin(): Waiter | undefined {
    if (this.mayBegin <= 0) return undefined;
    const waiter = this.toBegin.next();
    if (waiter !== undefined) this.opening += 1;
    return waiter;
  }
}

function refuse({ timer, reject }: Waiter): void {
  clearTimeout(timer);
  reject(new NotSent(TOO_MANY));
}
