import { Injectable } from '@nestjs/common';
import {
  InjectRecord,
  RecordStore,
  optionsOf,
  type Filter,
  type Id,
  type OutboxRow,
  type RecordModel,
} from '@commerce/platform';
import { mongo, type ClientSession } from 'mongoose';

import { DeliveryRecord, deliveryRow } from '../delivery/delivery.record.js';
import { EventRecord } from './event.record.js';
import { inLogOrder, logPages, type Placed } from './log-order.js';

interface WaitingEvent extends Placed {
  readonly _id: Id;
  readonly object_id: Id;
}

/** An event that waits for its place in the log. */
export interface PendingEvent extends WaitingEvent {
  readonly company: Id;
  readonly kind: string;
  readonly body: string;
}

/** An event's text, and whose it is. */
export interface EventBody {
  readonly company: Id;
  readonly kind: string;
  readonly body: string;
}

/** The last page of each company's log. */
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

  /** The ids of a company's waiting events, at most `limit`, in the order of the log. */
  async waiting(company: Id, limit: number): Promise<Id[]> {
    const events = await this.inTransaction((session) => this.ordered(company, limit, session));
    return events.map(({ _id }) => _id);
  }

  /** These events, in this order. */
  async load(ids: readonly Id[]): Promise<PendingEvent[]> {
    const rows = await this.model.collection
      .find({ _id: { $in: [...ids] } }, { projection: FIELDS })
      .toArray();
    const found = new Map(
      rows.map((row) => [row._id.toHexString(), withTexts(row as unknown as Stored) as PendingEvent]),
    );
    return ids.map((id) => found.get(id.toHexString())).filter((event) => event !== undefined);
  }

  /**
   * Gives events their places in the company's log, and adds what `deliveriesOf` makes of them, all in one
   * transaction. The counter of the log is part of it: of two relays of one company one has to begin again, so
   * places appear in order and nobody who reads the log in order can overlook one that came late.
   * @param events as they were read, in order
   * @returns false when somebody else placed one of them meanwhile; then nothing was done
   */
  async place(
    company: Id,
    events: readonly PendingEvent[],
    deliveriesOf: (session: ClientSession) => Promise<readonly DeliveryRecord[]>,
  ): Promise<boolean> {
    const pages = logPages(events);
    try {
      await this.inTransaction(async (session) => {
        let position = await this.takePages(company, pages.length, session);
        for (const page of pages) {
          const { modifiedCount } = await this.model.collection.updateMany(
            { _id: { $in: page.map(({ _id }) => _id) }, pending: true },
            { $set: { position }, $unset: { pending: 1 } },
            { session },
          );
          if (modifiedCount !== page.length) throw new Overtaken();
          position += 1;
        }
        const deliveries = await deliveriesOf(session);
        if (deliveries.length === 0) return;
        const rows = deliveries.map(deliveryRow);
        await this.model.db.collection(DELIVERIES).insertMany(rows, { session });
      });
      return true;
    } catch (error) {
      if (error instanceof Overtaken) return false;
      throw error;
    }
  }

  /** Adds an event that is in no log, with its one delivery. */
  async addSimulated(event: Omit<OutboxRow, 'pending'>, delivery: DeliveryRecord): Promise<void> {
    await this.inTransaction(async (session) => {
      await this.model.collection.insertOne({ ...event, simulated: true }, { session });
      await this.model.db.collection(DELIVERIES).insertOne(deliveryRow(delivery), { session });
    });
  }

  /** The events of a company's log behind one of it, in order; from the beginning when that is null. */
  async behind(
    company: Id,
    after: Pick<EventRecord, '_id' | 'position'> | null,
    filter: Filter,
    skip: number,
    limit: number,
  ): Promise<EventRecord[]> {
    const position = after?.position ?? 0;
    const read = (where: Filter, left: number): Promise<EventRecord[]> =>
      this.model
        .find({ company, ...filter, ...where })
        .sort({ position: 1, _id: 1 })
        .skip(skip)
        .limit(left)
        .maxTimeMS(1000)
        .lean<EventRecord[]>();
    const same = after === null ? [] : await read({ position, _id: { $gt: after._id } }, limit);
    if (same.length === limit) return same;
    return [...same, ...(await read({ position: { $gt: position } }, limit - same.length))];
  }

  private async ordered(company: Id, limit: number, session: ClientSession): Promise<WaitingEvent[]> {
    const { collection } = this.model;
    const options = { session, projection: { object_id: 1, sequence: 1 } };
    const rows = await collection
      .find({ pending: true, company }, options)
      .sort({ _id: 1 })
      .limit(limit)
      .toArray();
    const events = rows.map((row) => withTexts(row as unknown as Stored));
    if (events.length < limit) return inLogOrder(events);
    // The limit may have cut off an earlier event of an object whose later one is among these.
    const objects = events.map(({ object_id }) => object_id);
    const same = await collection
      .find({ company, object_id: { $in: objects }, pending: true }, options)
      .toArray();
    const last = lastSequences(events);
    const known = new Set(events.map(({ id }) => id));
    const earlier = same
      .map((row) => withTexts(row as unknown as Stored))
      .filter(({ id, object, sequence }) => !known.has(id) && sequence < (last.get(object) ?? 0));
    return inLogOrder([...events, ...earlier]);
  }

  private async takePages(company: Id, count: number, session: ClientSession): Promise<number> {
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

/** Somebody else placed an event first. */
class Overtaken extends Error {}

function lastSequences(events: readonly WaitingEvent[]): Map<string, number> {
  const last = new Map<string, number>();
  for (const { object, sequence } of events) last.set(object, Math.max(sequence, last.get(object) ?? 0));
  return last;
}

type Stored = Omit<WaitingEvent, 'id' | 'object'>;

/** With its ids as texts, by which events are compared. */
function withTexts<T extends Stored>(row: T): T & WaitingEvent {
  return Object.assign(row, { id: row._id.toHexString(), object: row.object_id.toHexString() });
}
