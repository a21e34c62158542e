import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import { DAY_MS, fault, type Fault } from '@commerce/kernel';
import { BY_COMPANY, countedTypes, optionsOf, type Id, type RecordState } from '@commerce/records';
import type { Collection, Connection } from 'mongoose';

import { engineOf } from '../reading/engine.js';
import { DatabaseClock } from '../server/database-clock.js';
import { isDuplicate } from '../server/duplicate.js';
import { RowCollection } from '../server/row-collection.js';
import type { RowWrite } from './row-write.js';

/** Records and their bytes: those that one customer may store, or stores. */
export interface Quota {
  readonly records: number;
  readonly bytes: number;
}

/** What a commit adds to the usage of a customer. */
export interface Added extends Quota {
  /** Bytes of events, audit entries and records without an owner, which do not count for good. */
  readonly logged: number;
}

/** What one customer stores. */
export interface CustomerUsage extends Quota {
  readonly _id: Id;
  readonly company: Id;
}

/** The row of a customer, which also counts what its requests have left in the logs in a period. */
interface UsageRow extends CustomerUsage {
  readonly log_period: number;
  readonly log_bytes: number;
}

/** Events are kept for as long by default. */
const LOG_PERIOD_MS = 90 * DAY_MS;

type ReadQuota = (company: Id) => Promise<Quota>;

const USAGE = new RowCollection<UsageRow>('customer_usage', {
  sharding: BY_COMPANY,
  indexes: [{ key: { company: 1, _id: 1 }, name: 'company' }],
});

/** The quotas of what customers store by their own requests, and its usage. */
@Injectable()
export class CustomerUsageStore {
  private read: ReadQuota | null = null;

  constructor(
    @InjectConnection() private readonly connection: Connection,
    private readonly clock: DatabaseClock,
  ) {}

  /** Registers the reader of a company's setting. */
  readBy(read: ReadQuota): void {
    this.read = read;
  }

  /**
   * Refuses a customer whose quota is used up, before its upload is read.
   * @throws Fault `customer.quota_exceeded`
   */
  async requireRoom(company: Id, customer: Id): Promise<void> {
    const [quota, used] = await Promise.all([
      this.of(company),
      this.usage.findOne({ _id: customer, company }),
    ]);
    if (used !== null && (used.records >= quota.records || used.bytes >= quota.bytes)) throw exceeded(quota);
  }

  /**
   * Refuses a customer whose requests have left as much in the logs of this period as its quota has bytes.
   * @throws Fault `customer.quota_exceeded`
   */
  async requireLogRoom(company: Id, customer: Id): Promise<void> {
    const [quota, row] = await Promise.all([
      this.of(company),
      this.usage.findOne({ _id: customer, company }),
    ]);
    if (row?.log_period !== this.period() || row.log_bytes < quota.bytes) return;
    const message = `The requests of a user may add ${quota.bytes.toLocaleString('en')} bytes to the event log and the audit log in 90 days`;
    throw fault('customer.quota_exceeded', message, { setting: 'customers.quota', quota });
  }

  /**
   * The write that adds to the usage of a customer; its commit fails where the quota does not suffice for its records.
   * What is logged is never refused by then: a charge may have been made.
   */
  async addition(company: Id, customer: Id, { records, bytes, logged }: Added): Promise<RowWrite> {
    const quota = await this.of(company);
    const period = this.period();
    const isInPeriod = (await this.open(company, customer, period)) === period;
    const room = {
      ...(records > 0 ? { records: { $lte: quota.records - records } } : {}),
      ...(bytes > 0 ? { bytes: { $lte: quota.bytes - bytes } } : {}),
    };
    const log = isInPeriod
      ? { $inc: { records, bytes, log_bytes: logged } }
      : { $inc: { records, bytes }, $set: { log_period: period, log_bytes: logged } };
    const operation = { updateOne: { filter: { _id: customer, company, ...room }, update: log } };
    return { collection: USAGE.name, operation, missing: () => exceeded(quota) };
  }

  /** The usage of each customer of a company, as counted. */
  async *counted(company: Id): AsyncGenerator<CustomerUsage> {
    yield* this.usage.find(engineOf(this.connection).ofCompany(company, {})).sort({ _id: 1 });
  }

  async countedFor(company: Id, customer: Id): Promise<Quota> {
    const found = await this.usage.findOne({ _id: customer, company });
    return { records: found?.records ?? 0, bytes: found?.bytes ?? 0 };
  }

  /** The usage of a customer by the records themselves, read one at a time. */
  async stored(company: Id, customer: Id): Promise<Quota> {
    let [records, bytes] = [0, 0];
    for (const type of countedTypes()) {
      const { collection, owner = 'user' } = optionsOf(type);
      const asked = engineOf(this.connection).ofCompany(company, { [owner]: customer });
      const found = this.connection
        .collection<{ readonly sys: RecordState }>(collection)
        .find(asked, { projection: { _id: 0, sys: 1 } });
      for await (const { sys } of found) {
        if (sys.counted === undefined) continue;
        records += 1;
        bytes += sys.counted.own + sys.counted.beside;
      }
    }
    return { records, bytes };
  }

  /** Replaces a usage that is still the one that was read. */
  async correct({ _id, company, records, bytes }: CustomerUsage, stored: Quota): Promise<void> {
    await this.usage.updateOne({ _id, company, records, bytes }, { $set: { ...stored } });
  }

  private of(company: Id): Promise<Quota> {
    if (this.read === null) throw new Error('nobody reads the quotas of customers');
    return this.read(company);
  }

  /**
   * Adds the row of a customer, outside of any transaction: several of its requests may be the first. Returns the period
   * in which it counts.
   */
  private async open(company: Id, _id: Id, log_period: number): Promise<number> {
    const found = await this.usage.findOne({ _id, company });
    if (found !== null) return found.log_period;
    const none = { $setOnInsert: { records: 0, bytes: 0, log_period, log_bytes: 0 } };
    try {
      await this.usage.updateOne({ _id, company }, none, { upsert: true });
    } catch (error) {
      if (!isDuplicate(error)) throw error;
    }
    return log_period;
  }

  private period(): number {
    return Math.floor(this.clock.read().getTime() / LOG_PERIOD_MS);
  }

  private get usage(): Collection<UsageRow> {
    return USAGE.in(this.connection);
  }
}

function exceeded(quota: Quota): Fault {
  const [records, bytes] = [quota.records, quota.bytes].map((most) => most.toLocaleString('en'));
  const message = `A user may store ${records} records of ${bytes} bytes in all; the company can delete some, or raise customers.quota`;
  return fault('customer.quota_exceeded', message, { setting: 'customers.quota', quota });
}
