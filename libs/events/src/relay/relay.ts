import { Injectable } from '@nestjs/common';
import { Handles } from '@commerce/jobs';
import { Log } from '@commerce/platform';
import type { Id } from '@commerce/records';

import { EventStore, type PendingEvent } from '../log/event.store.js';
import { DeliveryDispatcher } from '../sending/delivery-dispatcher.js';
import { DeliveryNotifier } from '../sending/delivery-notifier.js';
import { EventPlacer } from './event-placer.js';
import { relayJob, type RelayJob } from './relay.job.js';

/** So many are read whole at the first look. */
const FEW = 100;
/** Where more are pending, ids that are read at once; what belongs to them is read batch by batch. */
const BACKLOG = 5000;
/** Passes of one flush. A pass is repeated where another relay has placed one of its events. */
const MOST_PASSES = 100;
/** For how long the next batch waits until most deliveries of the previous ones have been sent. */
const PATIENCE_MS = 50;

interface Run {
  again: boolean;
  readonly done: Promise<void>;
}

/**
 * Moves events from the commit of their change into the company's log, and makes one delivery for each webhook that
 * wants them. It may run anywhere, at any time and any number of times.
 */
@Injectable()
export class Relay {
  private readonly running = new Map<string, Run>();

  constructor(
    private readonly events: EventStore,
    private readonly placer: EventPlacer,
    private readonly dispatcher: DeliveryDispatcher,
    private readonly notifier: DeliveryNotifier,
    private readonly log: Log,
  ) {}

  @Handles(relayJob)
  async relay({ company }: RelayJob): Promise<void> {
    await this.run(company);
  }

  /** Relays all pending events of a company. Within a process, runs for one company follow one another. */
  run(company: Id): Promise<void> {
    const key = company.toHexString();
    const running = this.running.get(key);
    if (running) {
      running.again = true;
      return running.done;
    }
    const run: Run = { again: true, done: Promise.resolve().then(() => this.drain(company, run)) };
    this.running.set(key, run);
    return run.done;
  }

  private async drain(company: Id, run: Run): Promise<void> {
    try {
      while (run.again) {
        run.again = false;
        if (!(await this.pass(company))) run.again = true;
      }
    } finally {
      this.running.delete(company.toHexString());
    }
  }

  /** Relays the events that are pending now; unlike `run`, it does not wait for later ones of a busy company. */
  async flush(company: Id): Promise<void> {
    for (let passes = 0; passes < MOST_PASSES; passes++) if (await this.pass(company)) return;
    throw new Error('other relays kept placing the same events');
  }

  /** Returns false where some of the pending events may be left. */
  private async pass(company: Id): Promise<boolean> {
    const { size, kinds } = this.placer.batchOf(company);
    const { events, isAll } = await this.events.pending(company, Math.min(size, FEW), kinds);
    return isAll ? this.relayBatch(company, events) : this.relayBacklog(company);
  }

  /** Relays many events; while some of them are placed, the next ones are read. Returns false where more may be left. */
  private async relayBacklog(company: Id): Promise<boolean> {
    const ids = await this.events.pendingIds(company, BACKLOG);
    let loaded = 0;
    const load = async (): Promise<PendingEvent[]> => {
      const { size, kinds } = this.placer.batchOf(company);
      const batch = ids.slice(loaded, loaded + size);
      loaded += batch.length;
      return batch.length === 0 ? [] : this.events.load(company, batch, kinds);
    };
    let events = await load();
    for (;;) {
      const isLast = loaded === ids.length;
      const [isPlaced, next] = await Promise.all([this.relayBatch(company, events), load()]);
      if (!isPlaced) return false;
      if (isLast) return ids.length < BACKLOG;
      await this.dispatcher.leasedSent(PATIENCE_MS);
      events = next;
    }
  }

  /** Returns false where another relay has placed one of the events. */
  private async relayBatch(company: Id, events: readonly PendingEvent[]): Promise<boolean> {
    if (events.length === 0) return true;
    const made = await this.placer.place(company, events);
    if (made === null) return false;
    const { deliveries, leased } = made;
    this.dispatcher.takeLeased(leased);
    const waiting = deliveries.filter(({ generation }) => generation === 0);
    await this.notifier.notify(waiting);
    const counts = { events: events.length, deliveries: deliveries.length };
    this.log.debug({ company: company.toHexString(), ...counts }, 'Relayed events');
    return true;
  }
}
