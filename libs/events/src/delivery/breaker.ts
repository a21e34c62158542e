/** Failures in a row after which an endpoint is left alone. */
export const BREAK_AFTER = 10;
/** For how long it is left alone before one attempt may try it again. */
export const OPEN_MS = 30_000;

/**
 * Keeps an endpoint that fails again and again from taking up places. Times are of a clock that only goes
 * forward, in milliseconds.
 */
export class Breaker {
  private failures = 0;
  private openUntil: number | null = null;
  private probing = false;

  /** How many attempts may be under way at once: none while open, one to probe, else as many as `usual`. */
  allowed(now: number, usual: number): number {
    if (this.openUntil === null) return usual;
    if (now < this.openUntil) return 0;
    return this.probing ? 0 : 1;
  }

  /** Milliseconds until an attempt may be made again; 0 when it may be made now. */
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

  /** Returns true when this failure opened it. */
  failed(now: number): boolean {
    this.failures += 1;
    const opens = this.openUntil === null ? this.failures >= BREAK_AFTER : this.probing;
    this.probing = false;
    if (opens) this.openUntil = now + OPEN_MS;
    return opens;
  }
}
