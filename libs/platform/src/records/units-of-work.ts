import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import type { EventKind } from '@commerce/kernel';
import type { Connection } from 'mongoose';

import { SystemClock } from '../time/system-clock.js';
import type { Id } from './fields/id.js';
import { OutboxSignal } from './outbox.js';
import { makeRecord, type NewValues, type OwnedRecord } from './record.js';
import { retryOnConflict } from './retry-on-conflict.js';
import type { CompanyRecords, RecordStore } from './store.js';
import { UnitOfWork, type Shown } from './unit-of-work.js';

/** The event that tells of a write, and what it shows beside the record. */
export interface Told {
  /** Without one nobody is told. */
  readonly event?: EventKind | undefined;
  readonly show?: Shown | undefined;
}

/** What a decision makes of a record. */
export interface Change<R> extends Told {
  readonly changes: Partial<R>;
}

/**
 * Decides on the change of a record as it is now; null leaves it alone. Further writes of the same commit go into
 * `work`. It may be called several times, each time with the record as another writer left it.
 */
export type Decide<R> = (before: R, work: UnitOfWork) => Change<R> | null | Promise<Change<R> | null>;

export interface ChangeOptions<R> {
  /** Whether a deleted record may be changed, too. */
  readonly deleted?: boolean;
  /** The date of the change; the real time unless the record lives on a test clock. */
  readonly now?: (before: R) => Date | Promise<Date>;
}

/** Opens units of work; `create`, `change` and `write` are the ways in which use cases write. */
@Injectable()
export class UnitsOfWork {
  constructor(
    @InjectConnection() private readonly connection: Connection,
    private readonly signal: OutboxSignal,
    private readonly clock: SystemClock,
  ) {}

  /** A unit of work in the name of one company; `now` becomes the date of all that it writes. */
  begin(company: Id, now: Date): UnitOfWork {
    return new UnitOfWork(this.connection, this.signal, company, now);
  }

  /**
   * Makes a record and commits it with its event. `also` adds further writes to the same commit. Where a `human_id`
   * was drawn twice, another one is drawn.
   * @param now the date of the record; the real time unless given
   */
  async create<R extends OwnedRecord>(
    store: RecordStore<R>,
    values: NewValues<R>,
    { event, show, also, now }: Told & { also?: (work: UnitOfWork, made: R) => void; now?: Date } = {},
  ): Promise<R> {
    return this.write(
      values.company,
      (work) => {
        const made = work.insert(store, makeRecord(store.type, values, work.now), event, show);
        also?.(work, made);
        return made;
      },
      now,
    );
  }

  /**
   * Reads a record, decides, and writes in one unit of work; again from the reading when another writer was
   * quicker. Returns the record as it is then.
   * @throws Fault `<noun>.not_found` where the record is not among `records`
   */
  async change<R extends OwnedRecord>(
    records: CompanyRecords<R>,
    id: Id | string,
    decide: Decide<R>,
    { deleted = false, now }: ChangeOptions<R> = {},
  ): Promise<R> {
    return retryOnConflict(async () => {
      const before = await records.get(id, { deleted });
      const work = this.begin(records.company, now === undefined ? this.clock.now() : await now(before));
      const change = await decide(before, work);
      const after =
        change === null
          ? before
          : work.update(records.store, before, change.changes, change.event, change.show);
      await work.commit();
      return after;
    });
  }

  /** Fills a unit of work and commits it; fills another one when a writer of the same records was quicker. */
  async write<T>(company: Id, fill: (work: UnitOfWork) => T | Promise<T>, now?: Date): Promise<T> {
    return retryOnConflict(async () => {
      const work = this.begin(company, now ?? this.clock.now());
      const result = await fill(work);
      await work.commit();
      return result;
    });
  }
}
