import { randomBytes } from 'node:crypto';

import { Inject, Injectable } from '@nestjs/common';
import { DatabaseClock } from '@commerce/data';
import { CONFIG, type Config } from '@commerce/platform';

import type { Claim } from '../delivery/claim.js';
import { DeliveryStore } from '../delivery/delivery.store.js';
import type { DueDelivery } from '../delivery/due-delivery.js';

/** Claims deliveries for this worker. Several workers may try; each delivery goes to one of them. */
@Injectable()
export class DeliveryClaimer {
  private readonly worker = randomBytes(6).toString('hex');
  private claims = 0;

  constructor(
    @Inject(CONFIG) private readonly config: Pick<Config, 'leaseMs'>,
    private readonly store: DeliveryStore,
    private readonly clock: DatabaseClock,
  ) {}

  /** Claims those deliveries that have not changed since they were read. */
  async claim(due: readonly DueDelivery[]): Promise<{ claim: Claim; claimed: DueDelivery[] }> {
    const claim = this.newClaim(await this.clock.now());
    return { claim, claimed: await this.store.claim(due, claim) };
  }

  /** A claim that is not written to any delivery yet. */
  newClaim(at: Date): Claim {
    this.claims += 1;
    return {
      name: `${this.worker}-${String(this.claims)}`,
      at,
      since: performance.now(),
      leaseEnd: new Date(at.getTime() + this.config.leaseMs),
    };
  }
}
