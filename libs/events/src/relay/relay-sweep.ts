import { Injectable, type OnModuleInit } from '@nestjs/common';
import { OutboxSignal } from '@commerce/data';
import { Sweeps } from '@commerce/jobs';
import pMap from 'p-map';

import { EventStore } from '../log/event.store.js';
import { Relay } from './relay.js';

/** Companies relayed at once. */
const CONCURRENCY = 4;

/** Relays the pending events of all companies; needs no queue. */
@Injectable()
export class RelaySweep implements OnModuleInit {
  constructor(
    private readonly events: EventStore,
    private readonly relay: Relay,
    private readonly signal: OutboxSignal,
  ) {}

  onModuleInit(): void {
    this.signal.relayBy((company) => this.relay.flush(company));
  }

  @Sweeps('relay')
  async sweep(): Promise<void> {
    const companies = await this.events.companiesPending();
    // An error of one company must not delay the others; in the end the sweep fails with all errors.
    await pMap(companies, (company) => this.relay.run(company), {
      concurrency: CONCURRENCY,
      stopOnError: false,
    });
  }
}
