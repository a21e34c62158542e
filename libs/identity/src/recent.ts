/** How long what was looked up may be believed: a revoked key stops working within this time. */
export const RECENT_MS = 5000;

const MAX_KEPT = 10_000;

/**
 * Remembers look-ups for a few seconds, so that each request does not repeat them. Bounded; failures are not
 * remembered. `now` counts milliseconds of any steady clock.
 */
export class Recent<T> {
  private readonly kept = new Map<string, { at: number; value: Promise<T> }>();

  constructor(
    private readonly look: (key: string) => Promise<T>,
    private readonly now: () => number = () => performance.now(),
  ) {}

  get(key: string): Promise<T> {
    const at = this.now();
    const found = this.kept.get(key);
    if (found && at - found.at < RECENT_MS) return found.value;
    const value = this.look(key);
    this.kept.delete(key);
    this.kept.set(key, { at, value });
    value.catch(() => this.kept.delete(key));
    const oldest = this.kept.keys().next();
    if (this.kept.size > MAX_KEPT && oldest.done !== true) this.kept.delete(oldest.value);
    return value;
  }

  forget(key: string): void {
    this.kept.delete(key);
  }
}
