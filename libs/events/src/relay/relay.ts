import { Injectable } from '@nestjs/common';
import { Handles, JobQueue, Log, parseId, type Id } from '@commerce/platform';

import { deliverRequests, deliverJob, dueDeliveriesIn } from '../delivery/delivery.jobs.js';
import { DeliveryDispatcher } from '../delivery/delivery-dispatcher.js';
import { DatabaseClock } from '../delivery/database-clock.js';
import { EventStore, type PendingEvent } from '../log/event.store.js';
import { WebhookStore } from '../webhooks/webhook.store.js';
import { relayJob, type RelayJob } from './relay.jobs.js';
import { fanOut, type Fan } from './fan-out.js';

/** Events placed in one transaction. */
const BATCH = 200;
/** Waiting events whose ids are read at once; their texts are read batch by batch. */
const BACKLOG = 5000;
/** For how long a backlog waits for the deliveries that it made last to be sent. */
const PATIENCE_MS = 50;
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
    private readonly clock: DatabaseClock,
    private readonly jobs: JobQueue,
    private readonly dispatcher: DeliveryDispatcher,
    private readonly log: Log,
  ) {}

  @Handles(relayJob)
  async relay({ company }: RelayJob): Promise<void> {
    const id = parseId(company);
    if (id !== null) await this.run(id);
  }

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
        const ids = await this.events.waiting(company, BACKLOG);
        if (!(await this.batches(company, ids)) || ids.length >= BACKLOG) run.again = true;
      }
    } finally {
      this.running.delete(company.toHexString());
    }
  }

  /** Takes events batch by batch; false when somebody else took one meanwhile. */
  private async batches(company: Id, ids: readonly Id[]): Promise<boolean> {
    for (let from = 0; from < ids.length; from += BATCH) {
      if (from > 0) await this.dispatcher.roomSoon(PATIENCE_MS);
      const events = await this.events.load(ids.slice(from, from + BATCH));
      if (!(await this.batch(company, events))) return false;
    }
    return true;
  }

  /** Places events and makes their deliveries; false when somebody else was quicker with one of them. */
  private async batch(company: Id, events: readonly PendingEvent[]): Promise<boolean> {
    const now = await this.clock.now();
    let made: Fan = { deliveries: [], claimed: [] };
    const placed = await this.events.place(company, events, async (session) => {
      // The transaction may begin again: what an earlier turn made does not count.
      const webhooks = await this.webhooks.listening(company, session);
      made = fanOut(events, webhooks, this.dispatcher.claims(now), now);
      return made.deliveries;
    });
    if (!placed) return false;
    this.dispatcher.takeClaimed(made.claimed);
    await this.tell(company, made);
    this.log.debug(
      { company: company.toHexString(), events: events.length, deliveries: made.deliveries.length },
      'Relayed events',
    );
    return true;
  }

  /** Tells of the deliveries that this worker did not take itself. */
  private async tell(company: Id, { deliveries, claimed }: Fan): Promise<void> {
    if (deliveries.length === claimed.length) return;
    const hints = deliverRequests(
      company,
      deliveries.filter(({ generation }) => generation === 0),
    );
    // A queue that is full is not added to; without Redis this worker sends itself.
    const waiting = await this.jobs.waiting(deliverJob);
    if (waiting !== null && waiting > MAX_JOBS) return;
    if (waiting !== null && (await this.jobs.add(deliverJob, ...hints))) return;
    for (const { data } of hints) this.dispatcher.offer(dueDeliveriesIn(data));
  }
}
