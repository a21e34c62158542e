import type { LeasedDelivery } from '../../delivery/leased-delivery.js';
import { CircuitBreaker } from './circuit-breaker.js';

/** Calls that may run to one endpoint at once. */
export const CALLS_PER_ENDPOINT = 5;
/** The most deliveries that may be leased for one endpoint. */
const MAX_LEASED = 200;
/** As many deliveries are leased as the endpoint probably accepts in this time. */
const LEASE_AHEAD_MS = 500;

/**
 * The leased deliveries of one endpoint. How many are leased ahead depends on how quickly the endpoint answers:
 * leasing in bulk is cheap, but what is leased and not sent yet is kept from all other workers.
 */
export class EndpointQueue<T = LeasedDelivery> {
  readonly breaker = new CircuitBreaker();
  /** Leased and not sent yet; the items before `head` are gone. */
  private items: T[] = [];
  private head = 0;
  inFlight = 0;
  private latencyMs: number | null = null;

  constructor(readonly url: string) {}

  /** Leased, whether being sent or waiting. */
  get leased(): number {
    return this.inFlight + this.items.length - this.head;
  }

  get isIdle(): boolean {
    return this.leased === 0 && this.breaker.isClosed;
  }

  /** How many more may be leased now. */
  room(now: number): number {
    return Math.max(0, this.breaker.allowed(now, this.mostLeased) - this.leased);
  }

  /** Whether it is time to lease more: for a fast endpoint when half is sent, so that leases stay few. */
  runsLow(now: number): boolean {
    const most = this.breaker.allowed(now, this.mostLeased);
    const isFast = most > 2 * CALLS_PER_ENDPOINT;
    return isFast ? this.leased <= most / 2 : this.leased < most;
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

  private get mostLeased(): number {
    if (this.latencyMs === null) return CALLS_PER_ENDPOINT;
    const accepted = Math.floor((CALLS_PER_ENDPOINT * LEASE_AHEAD_MS) / Math.max(1, this.latencyMs));
    return Math.min(MAX_LEASED, Math.max(CALLS_PER_ENDPOINT, accepted));
  }
}
