import { Injectable } from '@nestjs/common';
import {
  MAX_READ_MS,
  RecordStore,
  RowCollection,
  inTransaction,
  type OutboxRow,
  type UnitOfWork,
} from '@commerce/data';
import { mapInTurns, openField } from '@commerce/platform';
import {
  BY_COMPANY_ID,
  InjectRecord,
  hydrate,
  unpack,
  type Filter,
  type Id,
  type RecordModel,
} from '@commerce/records';
import type { ClientSession } from 'mongoose';

import { EventRecord } from './event.record.js';
import { inLogOrder, logPages, type Placed } from './log-order.js';

interface OrderedEvent extends Placed {
  readonly _id: Id;
  readonly object_id: Id;
}

/** An event without a place in the log yet. */
export interface PendingEvent extends OrderedEvent {
  readonly company: Id;
  readonly kind: string;
  /** Null where it was not read, since nobody was known to listen to this kind. */
  readonly body: string | null;
}

/** The kinds of events whose texts are read; null for all. */
export type ReadKinds = ReadonlySet<string> | null;

/** The text of an event, and the company it belongs to. */
export interface EventBody {
  readonly company: Id;
  readonly kind: string;
  readonly body: string;
}

/** The log of one company. */
export interface LogRow {
  readonly _id: Id;
  /** The number of its last page. */
  readonly position: number;
  /** The first page that may still hold events. */
  readonly first?: number;
  /** The newest event that was removed. */
  readonly expired?: Id;
}

export const LOGS = new RowCollection<LogRow>('event_logs', { sharding: BY_COMPANY_ID });

/** Rows in one reply of the database. */
const ROWS_AT_ONCE = 1000;

/** A search for the newest events that finds too few reads this many times as much. */
const REACH_GROWS = 16;

const PLACING = { object_id: 1, sequence: 1 } as const;

@Injectable()
export class EventStore extends RecordStore<EventRecord> {
  constructor(@InjectRecord(EventRecord) model: RecordModel) {
    super(model, EventRecord);
  }

  /** Companies with events that have no place in the log yet. */
  async companiesPending(): Promise<Id[]> {
    return (await this.model.collection.distinct('company', { pending: true })) as Id[];
  }

  /** The texts of events of these companies. */
  async bodies(companies: readonly Id[], ids: readonly Id[]): Promise<Map<string, EventBody>> {
    const found = await this.model.collection
      .find(this.engine.withId({ $in: [...ids] }, { company: { $in: [...companies] } }), {
        projection: { company: 1, kind: 1, body: 1 },
        batchSize: ids.length,
      })
      .toArray();
    return new Map(found.map((row) => [row._id.toHexString(), opened(row as unknown as StoredBody)]));
  }

  /**
   * A company's events that have no place yet, in the order of the log. `isAll` is false where there are more: then
   * these may not be placed, for the limit may have cut off an earlier event of one of their objects.
   */
  async pending(
    company: Id,
    limit: number,
    kinds: ReadKinds,
  ): Promise<{ events: PendingEvent[]; isAll: boolean }> {
    const rows = await this.rows({ pending: true, company }, fieldsFor(kinds), limit);
    return { events: inLogOrder(rows.map(pendingEvent)), isAll: rows.length < limit };
  }

  /** The ids of those events alone, in the same order: about `limit` of them, which may be placed before all others. */
  async pendingIds(company: Id, limit: number): Promise<Id[]> {
    const events = (await this.rows({ pending: true, company }, PLACING, limit)).map(withTexts);
    if (events.length < limit) return inLogOrder(events).map(({ _id }) => _id);
    // The limit may have cut off an earlier event of an object while a later one of it is among these.
    const objects = events.map(({ object_id }) => object_id);
    const same = await this.rows({ company, object_id: { $in: objects }, pending: true }, PLACING);
    const last = lastSequences(events);
    const known = new Set(events.map(({ id }) => id));
    const earlier = same
      .map(withTexts)
      .filter(({ id, object, sequence }) => !known.has(id) && sequence < (last.get(object) ?? 0));
    return inLogOrder([...events, ...earlier]).map(({ _id }) => _id);
  }

  /** A company's events with these ids, in the same order. */
  async load(company: Id, ids: readonly Id[], kinds: ReadKinds): Promise<PendingEvent[]> {
    const rows = await this.rows(this.engine.withId({ $in: [...ids] }, { company }), fieldsFor(kinds));
    const found = new Map(rows.map((row) => [row._id.toHexString(), pendingEvent(row)]));
    return ids.map((id) => found.get(id.toHexString())).filter((event) => event !== undefined);
  }

  /**
   * Gives events their places in the company's log. `also` adds further writes to the same transaction and may run
   * several times. The transaction includes the counter of the log, so two relays of one company cannot both commit:
   * places become visible in order, and a consumer that reads in order never misses an event that came late.
   * @param events in the order of the log
   * @returns false when another relay has placed one of them meanwhile; nothing was written then
   */
  async place(
    company: Id,
    events: readonly PendingEvent[],
    also: (session: ClientSession) => Promise<void>,
  ): Promise<boolean> {
    const pages = logPages(events);
    try {
      await inTransaction(this.model.db, async (session) => {
        let position = await this.takePages(company, pages.length, session);
        for (const page of pages) {
          const { modifiedCount } = await this.model.collection.updateMany(
            this.engine.withId({ $in: page.map(({ _id }) => _id) }, { company, pending: true }),
            { $set: { position }, $unset: { pending: 1 } },
            { session },
          );
          if (modifiedCount !== page.length) throw new PlacedElsewhere();
          position += 1;
        }
        await also(session);
      });
      return true;
    } catch (error) {
      if (error instanceof PlacedElsewhere) return false;
      throw error;
    }
  }

  /**
   * Adds a simulated event, which never gets a place in the log. The log is made if there is none: by it the sweep
   * finds what may be removed.
   */
  async addSimulated(work: UnitOfWork, event: OutboxRow): Promise<void> {
    const row: Record<string, unknown> = { ...event, simulated: true };
    delete row['pending'];
    const logs = LOGS.in(this.model.db);
    await logs.updateOne({ _id: event.company }, { $setOnInsert: { position: 0 } }, { upsert: true });
    work.also(async (session) => {
      await this.model.collection.insertOne(row, { session });
    });
  }

  /** The events of a company's log that follow `last`, in order; from the beginning when that is null. */
  async following(
    company: Id,
    last: Pick<EventRecord, '_id' | 'position'> | null,
    filter: Filter,
    skip: number,
    limit: number,
  ): Promise<EventRecord[]> {
    const position = last?.position ?? 0;
    const read = async (where: Filter, count: number): Promise<EventRecord[]> => {
      const found = await this.model
        .find({ company, ...filter, ...where })
        .sort({ position: 1, _id: 1 })
        .skip(skip)
        .limit(count)
        .maxTimeMS(MAX_READ_MS)
        .lean<object[]>();
      return mapInTurns(found, (document) => hydrate(EventRecord, document));
    };
    const samePage = last === null ? [] : await read({ position, _id: { $gt: last._id } }, limit);
    if (samePage.length === limit) return samePage;
    return [...samePage, ...(await read({ position: { $gt: position } }, limit - samePage.length))];
  }

  /**
   * The newest events of a company's log that match, the oldest of them first. Reads the end of the log, and more of it
   * where few match.
   */
  async newest(company: Id, filter: Filter, limit: number): Promise<EventRecord[]> {
    const log = await LOGS.in(this.model.db).findOne({ _id: company });
    const end = log?.position ?? 0;
    let found: object[] = [];
    // Each page of the log holds at least one event.
    for (let reach = limit; end > 0; reach *= REACH_GROWS) {
      const from = Math.max(0, end - reach);
      found = await this.model
        .find({ company, ...filter, position: { $gt: from } })
        .sort({ position: -1, _id: -1 })
        .limit(limit)
        .maxTimeMS(MAX_READ_MS)
        .lean<object[]>();
      if (found.length === limit || from === 0) break;
    }
    return mapInTurns(found.reverse(), (document) => hydrate(EventRecord, document));
  }

  /**
   * As of one moment: an event must not be seen without those of the same object that were committed before it. With
   * a limit, those with the lowest ids, in the order of the index of what is pending.
   */
  private async rows(filter: Filter, projection: object, limit?: number): Promise<Row[]> {
    const found = this.model.collection.find(filter, {
      projection,
      batchSize: ROWS_AT_ONCE,
      readConcern: { level: 'snapshot' },
    });
    if (limit !== undefined) found.sort({ _id: 1 }).limit(limit);
    return (await found.toArray()) as unknown as Row[];
  }

  private async takePages(company: Id, count: number, session: ClientSession): Promise<number> {
    const log = await LOGS.in(this.model.db).findOneAndUpdate(
      { _id: company },
      { $inc: { position: count } },
      { upsert: true, returnDocument: 'after', session },
    );
    if (log === null) throw new Error('the log of a company was not found after its upsert');
    return log.position - count + 1;
  }
}

/** Another relay placed an event first. */
class PlacedElsewhere extends Error {}

function lastSequences(events: readonly OrderedEvent[]): Map<string, number> {
  const last = new Map<string, number>();
  for (const { object, sequence } of events) last.set(object, Math.max(sequence, last.get(object) ?? 0));
  return last;
}

function fieldsFor(kinds: ReadKinds): object {
  const body = kinds === null ? 1 : { $cond: [{ $in: ['$kind', [...kinds]] }, '$body', null] };
  return { ...PLACING, company: 1, kind: 1, body };
}

interface StoredBody extends EventBody {
  readonly _id: Id;
}

/** An event with the fields that were read. */
type Row = Stored & Pick<PendingEvent, 'company' | 'kind' | 'body'>;

function pendingEvent(row: Row): PendingEvent {
  const { body } = row;
  return withTexts(body === null ? row : opened({ ...row, body }));
}

/** The event with its text, neither packed nor sealed. */
function opened<T extends StoredBody>(row: T): T {
  const text = unpack(row.body) as string;
  return Object.assign(row, { body: openField(text, ['events', row._id.toHexString(), 'body']) });
}

type Stored = Omit<OrderedEvent, 'id' | 'object'>;

/** Adds the ids as text, by which events are compared. */
function withTexts<T extends Stored>(row: T): T & OrderedEvent {
  return Object.assign(row, { id: row._id.toHexString(), object: row.object_id.toHexString() });
}
