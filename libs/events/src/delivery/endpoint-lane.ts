import { Breaker } from './breaker.js';

/** Calls that may run to one endpoint at once. */
export const PER_ENDPOINT = 5;
/** Most deliveries that one endpoint may have claimed. */
const MAX_WINDOW = 200;
/** Claimed deliveries of one endpoint should be sent within about this time. */
const AHEAD_MS = 500;

/**
 * One endpoint as this worker knows it. How many deliveries are claimed ahead follows from how quickly it answers:
 * claims in bulk are cheap, but what is claimed and not sent is held back from everybody else.
 */
export class EndpointLane<T> {
  readonly breaker = new Breaker();
  /** Claimed and not yet sent. */
  private ready: T[] = [];
  private head = 0;
  inFlight = 0;
  private latencyMs: number | null = null;

  constructor(readonly url: string) {}

  /** Claimed, sent or not. */
  get held(): number {
    return this.inFlight + this.waiting;
  }

  get waiting(): number {
    return this.ready.length - this.head;
  }

  get isIdle(): boolean {
    return this.held === 0 && this.breaker.isClosed;
  }

  /** How many more may be claimed now. Of a quick endpoint in whole batches, so that claims stay few. */
  room(now: number): number {
    const window = this.breaker.allowed(now, this.window);
    const isQuick = window > 2 * PER_ENDPOINT;
    return isQuick && this.held > window / 2 ? 0 : Math.max(0, window - this.held);
  }

  add(items: readonly T[]): void {
    this.ready.push(...items);
  }

  /** The one that is to be sent next. */
  peek(): T | null {
    return this.ready[this.head] ?? null;
  }

  /** Takes the next one to send, if it may be sent now. */
  next(now: number): T | null {
    if (this.inFlight >= this.breaker.allowed(now, PER_ENDPOINT)) return null;
    const item = this.ready[this.head];
    if (item === undefined) return null;
    this.head += 1;
    if (this.head === this.ready.length) {
      this.ready = [];
      this.head = 0;
    }
    this.inFlight += 1;
    this.breaker.started();
    return item;
  }

  /** Everything that was not sent. */
  takeBack(): T[] {
    const left = this.ready.slice(this.head);
    this.ready = [];
    this.head = 0;
    return left;
  }

  /** A call ended. Returns true when the endpoint is to be left alone from now on. */
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

  /** A call was not made after all. */
  skipped(): void {
    this.inFlight -= 1;
  }

  private get window(): number {
    if (this.latencyMs === null) return PER_ENDPOINT;
    const fits = Math.floor((PER_ENDPOINT * AHEAD_MS) / Math.max(1, this.latencyMs));
    return Math.min(MAX_WINDOW, Math.max(PER_ENDPOINT, fits));
  }
}
