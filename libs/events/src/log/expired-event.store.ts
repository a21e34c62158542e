import { Injectable } from '@nestjs/common';
import { InjectRecord, type Id, type RecordModel } from '@commerce/records';
import type { Collection } from 'mongoose';

import { EventRecord } from './event.record.js';
import { LOGS, type LogRow } from './event.store.js';

/** The log of one company. */
export interface CompanyLog {
  readonly company: Id;
  /** The first page that may still hold events. */
  readonly first: number;
  /** The last page. */
  readonly last: number;
}

/** The fields that decide whether an event can be removed. */
export interface OldEvent {
  readonly _id: Id;
  /** Null for a simulated event, and for one that the relay has not placed yet. */
  readonly position: number | null;
  readonly isPending: boolean;
}

/** Pages read at once; each holds up to 200 events. */
const PAGES = 20;

const FIELDS = { position: 1, pending: 1 } as const;

/**
 * The oldest events of each log. They are removed from its front only, so that events after one that is still
 * there is there, too.
 */
@Injectable()
export class ExpiredEventStore {
  constructor(@InjectRecord(EventRecord) private readonly model: RecordModel) {}

  async *logs(): AsyncGenerator<CompanyLog> {
    for await (const { _id, position, first = 1 } of this.rows().find()) {
      yield { company: _id, first, last: position };
    }
  }

  /** The first events of a log, in its order; none if those pages are empty. */
  async first({ company, first }: CompanyLog, limit: number): Promise<OldEvent[]> {
    return this.read(
      { company, position: { $gte: first, $lt: first + PAGES } },
      { position: 1, _id: 1 },
      limit,
    );
  }

  /** The rest of a log after the removal of its first events; null if nothing is left. */
  following(log: CompanyLog, removed: readonly OldEvent[]): CompanyLog | null {
    const first = removed.at(-1)?.position ?? log.first + PAGES;
    return first > log.last ? null : { ...log, first };
  }

  /** Events without a place in the log, older than `before` and younger than `after`, the oldest first. */
  async unplaced(company: Id, after: Id | null, before: Id, limit: number): Promise<OldEvent[]> {
    const range = after === null ? { $lt: before } : { $gt: after, $lt: before };
    return this.read({ company, position: null, _id: range }, { _id: 1 }, limit);
  }

  /** Removes the first events of a log. `after=<one of them>` is answered by `event.expired` from before it is gone. */
  async removeFirst(company: Id, events: readonly OldEvent[]): Promise<void> {
    const ids = events.map(({ _id }) => _id);
    const newest = ids.reduce((a, b) => (a.toHexString() > b.toHexString() ? a : b));
    await this.rows().updateOne({ _id: company }, { $max: { expired: newest } });
    await this.remove(company, ids);
    const first = events.at(-1)?.position ?? 1;
    await this.rows().updateOne({ _id: company }, { $max: { first } });
  }

  async remove(company: Id, ids: readonly Id[]): Promise<void> {
    await this.model.collection.deleteMany({ _id: { $in: [...ids] }, company });
  }

  /** The newest id among the events that have been removed from a log; null if none has. */
  async newestRemoved(company: Id): Promise<Id | null> {
    const log = await this.rows().findOne({ _id: company });
    return log?.expired ?? null;
  }

  private rows(): Collection<LogRow> {
    return LOGS.in(this.model.db);
  }

  private async read(filter: object, sort: Record<string, 1>, limit: number): Promise<OldEvent[]> {
    const found = await this.model.collection
      .find(filter, { projection: FIELDS })
      .sort(sort)
      .limit(limit)
      .toArray();
    return found.map((row) => ({
      _id: row._id,
      position: (row['position'] as number | undefined) ?? null,
      isPending: row['pending'] === true,
    }));
  }
}
