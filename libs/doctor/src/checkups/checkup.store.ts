import { Injectable } from '@nestjs/common';
import { LeasedRows, Leases, RecordStore, dueBy, type Lease } from '@commerce/data';
import { InjectRecord, hydrate, type Id, type RecordModel } from '@commerce/records';

import { CheckupRecord } from './checkup.record.js';

/** A checkup that this worker has leased, and how often workers have begun it. */
export interface LeasedCheckup {
  readonly company: Id;
  readonly lease: Lease;
  readonly begun: number;
}

@Injectable()
export class CheckupStore extends RecordStore<CheckupRecord> {
  private readonly rows: LeasedRows;

  constructor(
    @InjectRecord(CheckupRecord) model: RecordModel,
    private readonly leases: Leases,
  ) {
    super(model, CheckupRecord);
    const fields = { until: 'due', name: 'claimed_by' };
    this.rows = new LeasedRows({ collection: model.collection, engine: this.engine }, fields);
  }

  /** Companies whose checkup a worker should take, the longest due first. */
  async due(now: Date, limit: number): Promise<Id[]> {
    const rows = await this.model
      .find({ due: dueBy(now) }, { company: 1, _id: 0 })
      .sort({ due: 1 })
      .limit(limit)
      .lean<{ company: Id }[]>();
    return rows.map(({ company }) => company);
  }

  /** Leases the checkup of a company, which begins anew; null when it is not, or no longer, due. */
  async lease(company: Id): Promise<LeasedCheckup | null> {
    const lease = await this.leases.start();
    const { at } = lease;
    const blank = { checked: 0, total: 0, findings: [] };
    const found = await this.rows.take<object>(company, lease, {
      where: { company },
      set: { state: 'running', started: at, updated: at, ...blank },
      add: { claims: 1, 'sys.version': 1 },
    });
    return found === null ? null : { company, lease, begun: hydrate(CheckupRecord, found).claims };
  }

  /** Writes to a leased checkup; false when it has been lost to another worker. */
  async write({ company, lease }: LeasedCheckup, changes: Partial<CheckupRecord>): Promise<boolean> {
    return this.rows.write(company, lease, { where: { company }, set: changes, add: { 'sys.version': 1 } });
  }

  /** Writes to a leased checkup and prolongs the lease; false as `write`. */
  renew(leased: LeasedCheckup, changes: Partial<CheckupRecord>): Promise<boolean> {
    return this.write(leased, { ...changes, due: this.leases.begin().until });
  }

  /** Gives a checkup back unfinished. One that the worker interrupts itself does not count as begun. */
  async release({ company, lease }: LeasedCheckup, due: Date, counts: boolean): Promise<void> {
    await this.rows.write(company, lease, {
      where: { company },
      set: { state: 'queued', due, claimed_by: null },
      add: { claims: counts ? 0 : -1, 'sys.version': 1 },
    });
  }
}
