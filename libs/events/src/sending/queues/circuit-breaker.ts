/** Consecutive failures after which an endpoint is left alone. */
export const BREAK_AFTER = 10;
/** For how long it is left alone until a single attempt probes it. */
export const OPEN_MS = 30_000;

/**
 * Keeps a failing endpoint from tying up a worker. It does not wrap calls, as the breakers of libraries do: it is
 * asked ahead of a call, so that nothing is leased for an endpoint while its circuit is open. Times are
 * milliseconds of a monotonic clock.
 */
export class CircuitBreaker {
  private failures = 0;
  private openUntil: number | null = null;
  private probing = false;

  /** The number of calls that may run at once: none while open, one as a probe, otherwise `usual`. */
  allowed(now: number, usual: number): number {
    if (this.openUntil === null) return usual;
    if (now < this.openUntil) return 0;
    return this.probing ? 0 : 1;
  }

  /** Milliseconds until the next attempt may be made; 0 if it may be made now. */
  waitMs(now: number): number {
    return this.openUntil === null ? 0 : Math.max(0, this.openUntil - now);
  }

  get isClosed(): boolean {
    return this.openUntil === null;
  }

  started(): void {
    if (this.openUntil !== null) this.probing = true;
  }

  succeeded(): void {
    this.failures = 0;
    this.openUntil = null;
    this.probing = false;
  }

  /** A call that was about to start was not made: if it was the probe, another one may be made. */
  skipped(): void {
    this.probing = false;
  }

  /** Returns true if this failure opened the circuit. */
  failed(now: number): boolean {
    this.failures += 1;
    const opens = this.openUntil === null ? this.failures >= BREAK_AFTER : this.probing;
    this.probing = false;
    if (opens) this.openUntil = now + OPEN_MS;
    return opens;
  }
}
