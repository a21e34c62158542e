import { Injectable } from '@nestjs/common';
import { Kicker, Log, type Id } from '@commerce/platform';

import { EventBodies } from '../delivery/bodies.js';
import { deliverHints, deliverJob, ticketsOf } from '../delivery/delivery.jobs.js';
import type { DeliveryRecord } from '../delivery/delivery.record.js';
import { Dispatcher } from '../delivery/dispatcher.js';
import { ServerClock } from '../delivery/server-clock.js';
import { EventStore } from '../log/event.store.js';
import { WebhookStore } from '../webhooks/webhook.store.js';
import { fanOut } from './fan-out.js';

/** Events placed in one transaction. */
const BATCH = 200;
/** Jobs wait in Redis up to this number; what is beyond waits in the database. */
const MAX_JOBS = 10_000;

interface Run {
  again: boolean;
  readonly done: Promise<void>;
}

/**
 * Takes events from where their change was committed to where they are sent from: each gets its place in its
 * company's log and, in the same transaction, one delivery for each webhook that wants it. Safe to run at any time,
 * anywhere, any number of times.
 */
@Injectable()
export class Relay {
  private readonly running = new Map<string, Run>();

  constructor(
    private readonly events: EventStore,
    private readonly webhooks: WebhookStore,
    private readonly bodies: EventBodies,
    private readonly clock: ServerClock,
    private readonly kicker: Kicker,
    private readonly dispatcher: Dispatcher,
    private readonly log: Log,
  ) {}

  /** Relays all that a company has waiting. Runs of one company in one process follow each other, none is lost. */
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
        while ((await this.batch(company)) >= BATCH);
      }
    } finally {
      this.running.delete(company.toHexString());
    }
  }

  private async batch(company: Id): Promise<number> {
    const now = await this.clock.now();
    let made: DeliveryRecord[] = [];
    const events = await this.events.placeNext(company, BATCH, async (placed, session) => {
      // The transaction may begin again: what an earlier turn made does not count.
      made = fanOut(placed, await this.webhooks.listening(company, session), now);
      return made;
    });
    if (made.length > 0) {
      for (const event of events) this.bodies.keep(event.id, event);
      await this.tell(company, made);
    }
    if (events.length > 0) {
      this.log.debug(
        { company: company.toHexString(), events: events.length, deliveries: made.length },
        'Relayed events',
      );
    }
    return events.length;
  }

  private async tell(company: Id, made: readonly DeliveryRecord[]): Promise<void> {
    const hints = deliverHints(company, made);
    // A queue that is full is not added to; without Redis this worker sends itself.
    const waiting = await this.kicker.waiting(deliverJob);
    if (waiting !== null && waiting > MAX_JOBS) return;
    if (waiting !== null && (await this.kicker.kick(deliverJob, ...hints))) return;
    for (const { data } of hints) this.dispatcher.offer(ticketsOf(data));
  }
}
