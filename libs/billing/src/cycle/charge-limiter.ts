import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, RoundRobin, type Config } from '@commerce/platform';
import { type Id } from '@commerce/records';

/**
 * Bounds how many subscriptions this worker bills at the same time, whatever job they came with: most of that time
 * they wait for the card provider. The companies take turns, so that a small one does not wait for all of a large one.
 */
@Injectable()
export class ChargeLimiter {
  private readonly waiting = new RoundRobin<() => void>();
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
    return new Promise((resolve) => this.waiting.add(company, resolve));
  }

  /** Hands the room on to whoever is next; it is free where nobody waits. */
  private next(): void {
    const resolve = this.waiting.next();
    if (resolve === undefined) this.free += 1;
    else resolve();
  }
}
