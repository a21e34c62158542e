import { Injectable } from '@nestjs/common';
import { fault } from '@commerce/kernel';
import {
  ANY_DATE,
  LeasedRows,
  Leases,
  MAX_READ_MS,
  RecordStore,
  countUpTo,
  dueBy,
  dueWorkOf,
  isDuplicate,
  type DueWork,
  type Lease,
  type UnitOfWork,
} from '@commerce/data';
import { InjectRecord, copyWith, dehydrate, type Id, type RecordModel } from '@commerce/records';
import type { ClientSession } from 'mongoose';

import type { WebhookKey } from '../webhooks/webhook.store.js';
import { DeliveryRecord, deliveryRow, type DeliveryAttempt } from './delivery.record.js';
import { DUE_FIELDS, companiesOf, type FoundRow, type DueDelivery } from './due-delivery.js';
import type { OutcomeWrite } from './outcomes.js';

/** The fields that decide whether a delivery can be removed. */
export type OldDelivery = Pick<DeliveryRecord, '_id' | 'company' | 'status' | 'updated'>;

/** A delivery with its attempts, but without the replies to them. */
export type SentDelivery = Pick<DeliveryRecord, '_id' | 'next_attempt'> & {
  readonly attempts: readonly Pick<DeliveryAttempt, 'at' | 'status'>[];
};

const SENT_FIELDS = { next_attempt: 1, 'attempts.at': 1, 'attempts.status': 1 } as const;

/** The deliveries that wait for a webhook. */
export interface Backlog {
  /** Exact up to 10,000; null where it takes too long to count. */
  readonly waiting: number | null;
  /** Whether counting ended there. */
  readonly capped: boolean;
  readonly next_attempt: Date | null;
}

/** Rows in one reply of the database, so that taking them in does not hold up everything else for long. */
const ROWS_AT_ONCE = 1000;

@Injectable()
export class DeliveryStore extends RecordStore<DeliveryRecord> {
  private readonly leased: LeasedRows;

  constructor(
    @InjectRecord(DeliveryRecord) model: RecordModel,
    private readonly leases: Leases,
  ) {
    super(model, DeliveryRecord);
    const fields = { until: 'next_attempt', name: 'claimed_by' };
    this.leased = new LeasedRows({ collection: model.collection, engine: this.engine }, fields);
  }

  /** Inserts new deliveries in the transaction of another store's write. */
  async add(deliveries: readonly DeliveryRecord[], session: ClientSession): Promise<void> {
    if (deliveries.length === 0) return;
    await this.model.collection.insertMany(deliveries.map(deliveryRow), { session });
  }

  /** Deliveries of any company that are due, the longest due first. */
  async due(now: Date, limit: number): Promise<FoundRow[]> {
    return this.rows({ next_attempt: dueBy(now) }, limit);
  }

  /** Webhooks that have due deliveries. */
  async webhooksDue(now: Date): Promise<Id[]> {
    const filter = { next_attempt: dueBy(now) };
    return (await this.model.collection.distinct('webhook', filter)) as Id[];
  }

  async dueOf(webhook: Id, now: Date, limit: number): Promise<FoundRow[]> {
    return this.rows({ webhook, next_attempt: dueBy(now) }, limit);
  }

  /** Deliveries of a company that are due. */
  async dueOfCompany(company: Id, now: Date): Promise<DueWork> {
    return dueWorkOf(this.model, company, 'next_attempt', now);
  }

  /** The webhooks of the deliveries of a company that have been due for longest. */
  async webhooksDueIn(company: Id, now: Date, limit: number): Promise<Id[]> {
    const found = await this.model.collection
      .find(
        { next_attempt: dueBy(now), company },
        { projection: { webhook: 1, _id: 0 }, maxTimeMS: MAX_READ_MS },
      )
      .sort({ next_attempt: 1 })
      .limit(limit)
      .toArray();
    return found.map(({ webhook }) => webhook as Id);
  }

  /** The newest deliveries to a webhook since a date, without the replies that they keep. */
  async recentOf({ _id: webhook, company }: WebhookKey, since: Date, limit: number): Promise<SentDelivery[]> {
    const found = await this.model.collection
      .find(
        { company, webhook, created: { $gte: since } },
        { projection: SENT_FIELDS, maxTimeMS: MAX_READ_MS },
      )
      .sort({ created: -1, _id: -1 })
      .limit(limit)
      .toArray();
    return found as unknown as SentDelivery[];
  }

  /** The deliveries that wait for a webhook, the next first; likewise. */
  async waitingOf({ _id: webhook, company }: WebhookKey, limit: number): Promise<SentDelivery[]> {
    const found = await this.model.collection
      .find({ webhook, next_attempt: ANY_DATE, company }, { projection: SENT_FIELDS, maxTimeMS: MAX_READ_MS })
      .sort({ next_attempt: 1 })
      .limit(limit)
      .toArray();
    return found as unknown as SentDelivery[];
  }

  /** How many deliveries wait for a webhook, and until when the next one does. */
  async backlogOf({ _id: webhook, company }: WebhookKey): Promise<Backlog> {
    const [{ count: waiting, capped }, first] = await Promise.all([
      countUpTo(this.model, { webhook, next_attempt: ANY_DATE, company }),
      this.waitingOf({ _id: webhook, company }, 1),
    ]);
    return { waiting, capped, next_attempt: first[0]?.next_attempt ?? null };
  }

  /** A lease that is not written to any delivery yet. */
  newLease(now: Date): Lease {
    return this.leases.begin(now);
  }

  /** Leases deliveries that have not changed since they were read, and counts an attempt of each. Gives those. */
  async lease(due: readonly DueDelivery[]): Promise<{ lease: Lease; leased: DueDelivery[] }> {
    const lease = await this.leases.start();
    const leased: DueDelivery[] = [];
    for (const [generation, group] of byGeneration(due)) {
      const ids = group.map(({ id }) => id);
      const count = await this.leased.takeSome(ids, lease, {
        where: { generation, status: 'PENDING', company: { $in: companiesOf(group) } },
        add: { generation: 1, attempt: 1 },
      });
      if (count === group.length) leased.push(...group);
      else if (count > 0) leased.push(...(await this.leasedBy(lease, group)));
    }
    return { lease, leased };
  }

  /** Records outcomes. Each write names the generation of its lease: a later lease counts more. */
  async record(writes: readonly OutcomeWrite[]): Promise<void> {
    if (writes.length === 0) return;
    await this.model.collection.bulkWrite(
      writes.map(({ ids, companies, generation, update }) => ({
        updateMany: {
          filter: this.engine.withId({ $in: [...ids] }, { generation, company: { $in: [...companies] } }),
          update,
        },
      })),
      { ordered: false },
    );
  }

  /** Deliveries of any company with ids between these two, the oldest first. */
  async old(after: Id | null, before: Id, limit: number): Promise<OldDelivery[]> {
    const found = await this.model.collection
      .find(
        { _id: after === null ? { $lt: before } : { $gt: after, $lt: before } },
        { projection: { company: 1, status: 1, updated: 1 } },
      )
      .sort({ _id: 1 })
      .limit(limit)
      .toArray();
    return found as unknown as OldDelivery[];
  }

  /** Removes deliveries that have ended, and returns how many there were; one that is sent again meanwhile stays. */
  async remove(company: Id, ids: readonly Id[]): Promise<number> {
    const filter = this.engine.withId({ $in: [...ids] }, { company, status: { $ne: 'PENDING' } });
    return (await this.model.collection.deleteMany(filter)).deletedCount;
  }

  /** Those of these events, as text, that have deliveries which have not ended. */
  async waitingEvents(company: Id, events: readonly Id[]): Promise<Set<string>> {
    const found = await this.model.collection
      .find({ event: { $in: [...events] }, company }, { projection: { event: 1, status: 1 } })
      .toArray();
    const waiting = found.filter(({ status }) => status === 'PENDING');
    return new Set(waiting.map(({ event }) => (event as Id).toHexString()));
  }

  /**
   * Changes a delivery on behalf of an operator, and returns it as it will be. The commit fails with `record.conflict`
   * if it has changed since it was read.
   */
  change(work: UnitOfWork, before: DeliveryRecord, changes: Partial<DeliveryRecord>): DeliveryRecord {
    const { _id, company, generation } = before;
    work.also(async (session) => {
      const { matchedCount } = await this.model.collection.updateOne(
        this.engine.withId(_id, { company, generation }),
        { $set: dehydrate(changes), $inc: { generation: 1 } },
        { session },
      );
      if (matchedCount === 0) throw changedMeanwhile();
    });
    return copyWith(before, { ...changes, generation: generation + 1 });
  }

  /** Adds a delivery. The commit fails with `record.conflict` if there is one of the same event to the same webhook. */
  addMissing(work: UnitOfWork, delivery: DeliveryRecord): DeliveryRecord {
    work.also(async (session) => {
      try {
        await this.model.collection.insertOne(deliveryRow(delivery), { session });
      } catch (error) {
        throw isDuplicate(error) ? changedMeanwhile() : error;
      }
    });
    return delivery;
  }

  private async rows(filter: Record<string, unknown>, limit: number): Promise<FoundRow[]> {
    const found = await this.model.collection
      .find(filter, { projection: DUE_FIELDS, batchSize: ROWS_AT_ONCE })
      .sort({ next_attempt: 1 })
      .limit(limit)
      .toArray();
    return found as unknown as FoundRow[];
  }

  private async leasedBy(lease: Lease, due: readonly DueDelivery[]): Promise<DueDelivery[]> {
    const ids = { $in: due.map(({ id }) => id) };
    const found = await this.model.collection
      .find(
        { _id: ids, company: { $in: companiesOf(due) }, ...this.leased.heldBy(lease) },
        { projection: { _id: 1 } },
      )
      .toArray();
    const mine = new Set(found.map(({ _id }) => _id.toHexString()));
    return due.filter(({ key }) => mine.has(key));
  }
}

function changedMeanwhile(): Error {
  return fault('record.conflict', 'The delivery was changed meanwhile; try again');
}

function byGeneration(due: readonly DueDelivery[]): Map<number, DueDelivery[]> {
  const groups = new Map<number, DueDelivery[]>();
  for (const one of due) {
    const group = groups.get(one.generation);
    if (group) group.push(one);
    else groups.set(one.generation, [one]);
  }
  return groups;
}
