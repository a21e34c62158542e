import type { ClaimedDelivery } from '../delivery/claim.js';
import { CircuitBreaker } from './circuit-breaker.js';

/** Calls that may run to one endpoint at once. */
export const CALLS_PER_ENDPOINT = 5;
/** The most deliveries that may be claimed for one endpoint. */
const MAX_CLAIMED = 200;
/** As many deliveries are claimed as the endpoint probably accepts in this time. */
const CLAIM_AHEAD_MS = 500;

/**
 * The claimed deliveries of one endpoint. How many are claimed ahead depends on how quickly the endpoint answers:
 * claiming in bulk is cheap, but what is claimed and not sent yet is kept from all other workers.
 */
export class EndpointQueue<T = ClaimedDelivery> {
  readonly breaker = new CircuitBreaker();
  /** Claimed and not sent yet; the items before `head` are gone. */
  private items: T[] = [];
  private head = 0;
  inFlight = 0;
  private latencyMs: number | null = null;

  constructor(readonly url: string) {}

  /** Claimed, whether being sent or waiting. */
  get claimed(): number {
    return this.inFlight + this.items.length - this.head;
  }

  get isIdle(): boolean {
    return this.claimed === 0 && this.breaker.isClosed;
  }

  /** How many more may be claimed now. */
  room(now: number): number {
    return Math.max(0, this.breaker.allowed(now, this.mostClaimed) - this.claimed);
  }

  /** Whether it is time to claim more: for a fast endpoint when half is sent, so that claims stay few. */
  runsLow(now: number): boolean {
    const most = this.breaker.allowed(now, this.mostClaimed);
    const isFast = most > 2 * CALLS_PER_ENDPOINT;
    return isFast ? this.claimed <= most / 2 : this.claimed < most;
  }

  add(items: readonly T[]): void {
    this.items.push(...items);
  }

  /** The item to be sent next. */
  peek(): T | null {
    return this.items[this.head] ?? null;
  }

  /** Takes the item to be sent next, if it may be sent now. */
  next(now: number): T | null {
    if (this.inFlight >= this.breaker.allowed(now, CALLS_PER_ENDPOINT)) return null;
    const item = this.items[this.head];
    if (item === undefined) return null;
    this.head += 1;
    if (this.head === this.items.length) {
      this.items = [];
      this.head = 0;
    }
    this.inFlight += 1;
    this.breaker.started();
    return item;
  }

  /** Takes everything that has not been sent. */
  drain(): T[] {
    const left = this.items.slice(this.head);
    this.items = [];
    this.head = 0;
    return left;
  }

  /** Records the end of a call. Returns true if it opened the circuit. */
  ended(succeeded: boolean, durationMs: number, now: number): boolean {
    this.inFlight -= 1;
    if (!succeeded) {
      this.latencyMs = null;
      return this.breaker.failed(now);
    }
    this.breaker.succeeded();
    this.latencyMs = this.latencyMs === null ? durationMs : this.latencyMs * 0.8 + durationMs * 0.2;
    return false;
  }

  /** Records that a call was not made after all. */
  skipped(): void {
    this.inFlight -= 1;
    this.breaker.skipped();
  }

  private get mostClaimed(): number {
    if (this.latencyMs === null) return CALLS_PER_ENDPOINT;
    const accepted = Math.floor((CALLS_PER_ENDPOINT * CLAIM_AHEAD_MS) / Math.max(1, this.latencyMs));
    return Math.min(MAX_CLAIMED, Math.max(CALLS_PER_ENDPOINT, accepted));
  }
}
