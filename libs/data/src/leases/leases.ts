import { randomBytes } from 'node:crypto';

import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '@commerce/platform';

import { DatabaseClock } from '../server/database-clock.js';

/** Work that one process has taken; another may take it once `until` has passed by the database's clock. */
export interface Lease {
  /** Names the process and the lease; no two are the same. */
  readonly name: string;
  /** When it began, by the database's clock. */
  readonly at: Date;
  readonly until: Date;
  /** When it began, by a monotonic clock. */
  readonly since: number;
}

/** Begins leases, which last as long as the settings say. */
@Injectable()
export class Leases {
  private readonly process = randomBytes(6).toString('hex');
  private begun = 0;

  constructor(
    private readonly clock: DatabaseClock,
    @Inject(CONFIG) private readonly config: Pick<Config, 'leaseMs'>,
  ) {}

  /** As `begin`, by the time that the database has reported at least once. */
  async start(): Promise<Lease> {
    return this.begin(await this.clock.now());
  }

  /** A lease that is not written to any row yet. `times`: how many times as long it lasts. */
  begin(at = this.clock.read(), times = 1): Lease {
    this.begun += 1;
    const name = `${this.process}-${String(this.begun)}`;
    return {
      name,
      at,
      until: new Date(at.getTime() + times * this.config.leaseMs),
      since: performance.now(),
    };
  }
}
