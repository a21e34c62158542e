import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import type { EventKind } from '@commerce/kernel';
import type { Connection } from 'mongoose';

import { DatabaseClock } from '../server/database-clock.js';
import type { Id } from '@commerce/records';
import { GroupCommit } from './group-commit.js';
import { OutboxSignal } from './outbox.js';
import { makeRecord, type NewValues, type OwnedRecord } from '@commerce/records';
import { retryOnConflict } from './retry-on-conflict.js';
import type { CompanyRecords, RecordStore } from '../stores/store.js';
import { actingUser, openAuditLog } from './audit-log.js';
import { CustomerUsageStore } from './customer-usage.store.js';
import { UnitOfWork, type Shown } from './unit-of-work.js';
import { UsageChanges } from './usage-changes.js';

/** The event of a write, and what it shows beside the record. */
export interface EventOfChange {
  /** Without one the write sends no event. */
  readonly event?: EventKind | undefined;
  readonly show?: Shown | undefined;
}

/** The changes that a decision makes to a record. */
export interface Change<R> extends EventOfChange {
  readonly changes: Partial<R>;
}

/**
 * Decides how the current record is changed; null leaves it unchanged. Further writes of the same commit go into
 * `work`. It may be called several times, each time with the record as another writer left it.
 */
export type Decide<R> = (before: R, work: UnitOfWork) => Change<R> | null | Promise<Change<R> | null>;

export interface ChangeOptions<R> {
  /** Whether a deleted record may be changed, too. */
  readonly deleted?: boolean;
  /** The date of the change; the real time unless the record lives on a test clock. */
  readonly now?: (before: R) => Date | Promise<Date>;
}

/** How use cases write: `create`, `change` and `write`, or a unit of work that they fill and commit themselves. */
@Injectable()
export class UnitsOfWork {
  constructor(
    @InjectConnection() private readonly connection: Connection,
    private readonly signal: OutboxSignal,
    private readonly clock: DatabaseClock,
    private readonly groups: GroupCommit,
    private readonly quotas: CustomerUsageStore,
  ) {}

  /** A unit of work in the name of one company; `now` becomes the date of all that it writes. */
  begin(company: Id, now: Date): UnitOfWork {
    const audit = openAuditLog(company, this.clock.read());
    const usage = new UsageChanges(this.quotas, company, actingUser(company));
    return new UnitOfWork(this.connection, this.signal, company, now, { audit, usage });
  }

  /**
   * Commits a unit of work by group commit, for work that is done for many records concurrently. To the unit of work it
   * makes no difference.
   */
  commit(work: UnitOfWork): Promise<void> {
    return this.groups.commit(work);
  }

  /**
   * Creates a record and commits it with its event. `also` adds further writes to the same commit.
   * @param now the date of the record; the real time unless given
   */
  async create<R extends OwnedRecord>(
    store: RecordStore<R>,
    values: NewValues<R>,
    {
      event,
      show,
      also,
      now,
    }: EventOfChange & { also?: (work: UnitOfWork, made: R) => void; now?: Date } = {},
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
   * Reads a record, decides, and writes in one unit of work; starts over when another writer was faster. Returns the
   * record as it then is.
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
      const work = this.begin(records.company, now === undefined ? this.clock.read() : await now(before));
      const change = await decide(before, work);
      const after =
        change === null
          ? before
          : work.update(records.store, before, change.changes, change.event, change.show);
      await work.commit();
      return after;
    });
  }

  /**
   * Fills a unit of work and commits it; starts over when another writer of the same records was faster. Units that only
   * add documents are committed together when several come at the same time.
   */
  async write<T>(company: Id, fill: (work: UnitOfWork) => T | Promise<T>, now?: Date): Promise<T> {
    return retryOnConflict(async () => {
      const work = this.begin(company, now ?? this.clock.read());
      const result = await fill(work);
      await (work.isCreation ? this.groups.commit(work) : work.commit());
      return result;
    });
  }
}
