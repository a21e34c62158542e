import { Injectable } from '@nestjs/common';
import {
  InjectRecord,
  RecordStore,
  dehydrate,
  optionsOf,
  type Filter,
  type Id,
  type OutboxRow,
  type RecordModel,
} from '@commerce/platform';
import { mongo, type ClientSession } from 'mongoose';

import { DeliveryRecord } from '../delivery/delivery.record.js';
import { EventRecord } from './event.record.js';
import { inLogOrder, type Placed } from './log-order.js';

/** An event that waits for its place in the log. */
export interface PendingEvent extends Placed {
  readonly _id: Id;
  readonly company: Id;
  readonly kind: string;
  readonly object_id: Id;
  readonly body: string;
}

/** An event's text, and whose it is. */
export interface EventBody {
  readonly company: Id;
  readonly kind: string;
  readonly body: string;
}

/** The last place given in each company's log. */
const LOGS = 'event_logs';

const DELIVERIES = optionsOf(DeliveryRecord).collection;

const DURABLE = new mongo.WriteConcern('majority', undefined, true);
const FIELDS = { company: 1, kind: 1, object_id: 1, sequence: 1, body: 1 } as const;

@Injectable()
export class EventStore extends RecordStore<EventRecord> {
  constructor(@InjectRecord(EventRecord) model: RecordModel) {
    super(model, EventRecord);
  }

  /** Companies with events that wait for their place in the log. */
  async companiesWaiting(): Promise<Id[]> {
    return (await this.model.collection.distinct('company', { pending: true })) as Id[];
  }

  /** The texts of events, of any company. */
  async bodies(ids: readonly Id[]): Promise<Map<string, EventBody>> {
    const found = await this.model.collection
      .find({ _id: { $in: [...ids] } }, { projection: { company: 1, kind: 1, body: 1 } })
      .toArray();
    return new Map(found.map((row) => [row._id.toHexString(), row as unknown as EventBody]));
  }

  /**
   * Gives the next waiting events of a company their places in its log, and adds what `deliveriesOf` makes of them,
   * all in one transaction. The counter of the log is part of it: of two relays of one company one has to begin
   * again, so places appear in order and nobody who reads the log in order can overlook one that came late.
   * @returns the events that got their place
   */
  async placeNext(
    company: Id,
    limit: number,
    deliveriesOf: (
      events: readonly PendingEvent[],
      session: ClientSession,
    ) => Promise<readonly DeliveryRecord[]>,
  ): Promise<PendingEvent[]> {
    return this.inTransaction(async (session) => {
      const events = await this.waiting(company, limit, session);
      if (events.length === 0) return [];
      const first = await this.takePlaces(company, events.length, session);
      await this.place(events, first, session);
      const deliveries = await deliveriesOf(events, session);
      if (deliveries.length > 0) {
        const rows = deliveries.map((delivery) => dehydrate(delivery));
        await this.model.db.collection(DELIVERIES).insertMany(rows, { session });
      }
      return events;
    });
  }

  /** Adds an event that is in no log, with its one delivery. */
  async addSimulated(event: Omit<OutboxRow, 'pending'>, delivery: DeliveryRecord): Promise<void> {
    await this.inTransaction(async (session) => {
      await this.model.collection.insertOne({ ...event, simulated: true }, { session });
      await this.model.db.collection(DELIVERIES).insertOne(dehydrate(delivery), { session });
    });
  }

  /** The events of a company's log behind a place, in order. */
  async behind(
    company: Id,
    position: number,
    filter: Filter,
    skip: number,
    limit: number,
  ): Promise<EventRecord[]> {
    const found = await this.model
      .find({ company, ...filter, position: { $gt: position } })
      .sort({ position: 1 })
      .skip(skip)
      .limit(limit)
      .maxTimeMS(1000)
      .lean<EventRecord[]>();
    return found;
  }

  private async waiting(company: Id, limit: number, session: ClientSession): Promise<PendingEvent[]> {
    const rows = await this.model.collection
      .find({ pending: true, company }, { session, projection: FIELDS })
      .sort({ _id: 1 })
      .limit(limit)
      .toArray();
    const events = rows.map((row) => pendingEvent(row as unknown as StoredEvent));
    // A whole batch may have cut off an earlier event of an object whose later one is in it.
    return inLogOrder(
      events.length < limit ? events : [...events, ...(await this.earlier(company, events, session))],
    );
  }

  /** Events left out of a batch although they come before others of the same object in it. */
  private async earlier(
    company: Id,
    batch: readonly PendingEvent[],
    session: ClientSession,
  ): Promise<PendingEvent[]> {
    const last = new Map<string, number>();
    for (const { object, sequence } of batch) last.set(object, Math.max(sequence, last.get(object) ?? 0));
    const objects = new Map(batch.map((event) => [event.object, event.object_id]));
    const rows = await this.model.collection
      .find(
        { company, object_id: { $in: [...objects.values()] }, pending: true },
        { session, projection: FIELDS },
      )
      .toArray();
    const known = new Set(batch.map(({ id }) => id));
    return rows
      .map((row) => pendingEvent(row as unknown as StoredEvent))
      .filter(({ id, object, sequence }) => !known.has(id) && sequence < (last.get(object) ?? 0));
  }

  private async takePlaces(company: Id, count: number, session: ClientSession): Promise<number> {
    const log = await this.model.db
      .collection<{ _id: Id; position: number }>(LOGS)
      .findOneAndUpdate(
        { _id: company },
        { $inc: { position: count } },
        { upsert: true, returnDocument: 'after', session },
      );
    if (log === null) throw new Error('the log of a company was not found after it was made');
    return log.position - count + 1;
  }

  private async place(events: readonly PendingEvent[], first: number, session: ClientSession): Promise<void> {
    const ids = events.map(({ _id }) => _id);
    // One write for all: each row finds its own place in the list.
    const { modifiedCount } = await this.model.collection.updateMany(
      { _id: { $in: ids }, pending: true },
      [{ $set: { position: { $add: [first, { $indexOfArray: [ids, '$_id'] }] } } }, { $unset: 'pending' }],
      { session },
    );
    if (modifiedCount !== events.length) throw new Error('an event was given its place twice');
  }

  private async inTransaction<T>(work: (session: ClientSession) => Promise<T>): Promise<T> {
    const session = await this.model.db.startSession();
    try {
      return await session.withTransaction(() => work(session), {
        readConcern: { level: 'snapshot' },
        writeConcern: DURABLE,
      });
    } finally {
      await session.endSession();
    }
  }
}

interface StoredEvent {
  readonly _id: Id;
  readonly company: Id;
  readonly kind: string;
  readonly object_id: Id;
  readonly sequence: number;
  readonly body: string;
}

function pendingEvent(row: StoredEvent): PendingEvent {
  return { ...row, id: row._id.toHexString(), object: row.object_id.toHexString() };
}
