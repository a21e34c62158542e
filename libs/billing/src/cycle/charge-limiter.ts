import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config, type Id } from '@commerce/platform';

/**
 * Bounds how many subscriptions this worker bills at the same time, whatever job they came with: most of that time
 * they wait for the card provider. The companies take turns, so that a small one does not wait for all of a large one.
 */
@Injectable()
export class ChargeLimiter {
  /** Who waits, by company; the company whose turn is next comes first. */
  private readonly lines = new Map<string, (() => void)[]>();
  private free: number;

  constructor(@Inject(CONFIG) { chargesAtOnce }: Pick<Config, 'chargesAtOnce'>) {
    this.free = chargesAtOnce;
  }

  /** Does this work as soon as there is room for it. */
  async run<T>(company: Id, work: () => Promise<T>): Promise<T> {
    if (this.free > 0) this.free -= 1;
    else await this.turn(company.toHexString());
    try {
      return await work();
    } finally {
      this.next();
    }
  }

  private turn(company: string): Promise<void> {
    return new Promise((resolve) => {
      const line = this.lines.get(company);
      if (line === undefined) this.lines.set(company, [resolve]);
      else line.push(resolve);
    });
  }

  /** Hands the room on to whoever is next; it is free where nobody waits. */
  private next(): void {
    const [first] = this.lines;
    if (first === undefined) {
      this.free += 1;
      return;
    }
    const [company, line] = first;
    const resolve = line.shift();
    this.lines.delete(company);
    if (line.length > 0) this.lines.set(company, line);
    resolve?.();
  }
}
