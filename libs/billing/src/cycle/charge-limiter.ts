import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, RoundRobin, type Config } from '@commerce/platform';
import { type Id } from '@commerce/records';

/**
 * Bounds the subscriptions that this worker bills concurrently across all jobs: most of that time they wait for the
 * card provider. Companies are served round robin, which the priorities of p-queue cannot express.
 */
@Injectable()
export class ChargeLimiter {
  private readonly waiting = new RoundRobin<() => void>();
  private free: number;

  constructor(@Inject(CONFIG) { chargesAtOnce }: Pick<Config, 'chargesAtOnce'>) {
    this.free = chargesAtOnce;
  }

  /** Runs this work as soon as a slot is free. */
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

  /** Hands the slot to the next in line, or frees it. */
  private next(): void {
    const resolve = this.waiting.next();
    if (resolve === undefined) this.free += 1;
    else resolve();
  }
}
