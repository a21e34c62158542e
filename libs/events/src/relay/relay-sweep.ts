import { Injectable } from '@nestjs/common';

import { Sweeps } from '@commerce/platform';

import { EventStore } from '../log/event.store.js';
import { Relay } from './relay.js';

const AT_ONCE = 4;

/** Relays whatever waits, in all companies; needs no queue. */
@Injectable()
export class RelaySweep {
  constructor(
    private readonly events: EventStore,
    private readonly relay: Relay,
  ) {}

  @Sweeps('relay')
  async sweep(): Promise<void> {
    const companies = await this.events.companiesWaiting();
    const next = companies.values();
    const failures: unknown[] = [];
    const worker = async (): Promise<void> => {
      for (const company of next) {
        // One company's trouble must not keep the others waiting.
        await this.relay.run(company).catch((error: unknown) => failures.push(error));
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    if (failures.length > 0) throw failures[0];
  }
}
