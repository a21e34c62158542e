interface Waiting {
  readonly holds: () => boolean;
  readonly resolve: () => void;
}

/** Lets callers wait until something holds, without polling: code that may have made it true calls `changed`. */
export class Condition {
  private readonly waiting = new Set<Waiting>();

  /** Resolves as soon as `holds` returns true, at the latest after `ms`. */
  async until(holds: () => boolean, ms = Infinity): Promise<void> {
    if (holds() || ms <= 0) return;
    await new Promise<void>((resolve) => {
      const timer = Number.isFinite(ms) ? setTimeout(() => one.resolve(), ms) : undefined;
      const one: Waiting = {
        holds,
        resolve: () => {
          clearTimeout(timer);
          this.waiting.delete(one);
          resolve();
        },
      };
      this.waiting.add(one);
    });
  }

  changed(): void {
    for (const one of this.waiting) if (one.holds()) one.resolve();
  }
}
