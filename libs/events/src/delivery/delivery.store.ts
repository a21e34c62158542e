import { Injectable } from '@nestjs/common';
import { InjectRecord, RecordStore, dehydrate, hydrate, type Id, type RecordModel } from '@commerce/platform';

import { DeliveryRecord, deliveryRow } from './delivery.record.js';
import type { OutcomeWrite } from './outcomes.js';
import { DUE_FIELDS, type DueRow, type DueDelivery } from './due-delivery.js';

@Injectable()
export class DeliveryStore extends RecordStore<DeliveryRecord> {
  constructor(@InjectRecord(DeliveryRecord) model: RecordModel) {
    super(model, DeliveryRecord);
  }

  /** The database's own time, by which leases run: no worker's clock can free or keep one. */
  async serverTime(): Promise<Date> {
    const answer = await this.model.db.db?.command({ hello: 1 });
    const time: unknown = answer?.['localTime'];
    if (!(time instanceof Date)) throw new Error('the database does not tell its time');
    return time;
  }

  /** Deliveries of any company that are due, the longest due first. */
  async due(now: Date, limit: number): Promise<DueRow[]> {
    return this.rows({ next_attempt: { $lte: now }, status: 'PENDING' }, limit);
  }

  /** Webhooks that have due deliveries. */
  async webhooksDue(now: Date): Promise<Id[]> {
    const filter = { next_attempt: { $lte: now }, status: 'PENDING' };
    return (await this.model.collection.distinct('webhook', filter)) as Id[];
  }

  async dueOf(webhook: Id, now: Date, limit: number): Promise<DueRow[]> {
    return this.rows({ webhook, next_attempt: { $lte: now }, status: 'PENDING' }, limit);
  }

  /** How long ago the longest due delivery fell due, in milliseconds; 0 when none is due. */
  async oldestDueAge(now: Date): Promise<number> {
    const [oldest] = await this.model.collection
      .find({ next_attempt: { $lte: now }, status: 'PENDING' }, { projection: { next_attempt: 1 } })
      .sort({ next_attempt: 1 })
      .limit(1)
      .toArray();
    const due: unknown = oldest?.['next_attempt'];
    return due instanceof Date ? now.getTime() - due.getTime() : 0;
  }

  /**
   * Claims deliveries that are as their tickets saw them, until the lease ends, and counts an attempt of each.
   * `claim` names the claimer and the turn. Returns those of the tickets that are the claimer's now.
   */
  async claim(
    tickets: readonly DueDelivery[],
    claim: string,
    now: Date,
    leaseEnd: Date,
  ): Promise<DueDelivery[]> {
    const claimed: DueDelivery[] = [];
    for (const [generation, group] of byGeneration(tickets)) {
      const ids = group.map((ticket) => ticket.id);
      const { modifiedCount } = await this.model.collection.updateMany(
        { _id: { $in: ids }, generation, status: 'PENDING', next_attempt: { $lte: now } },
        { $set: { next_attempt: leaseEnd, claimed_by: claim }, $inc: { generation: 1, attempt: 1 } },
      );
      if (modifiedCount === group.length) claimed.push(...group);
      else if (modifiedCount > 0) claimed.push(...(await this.ofClaim(group, claim)));
    }
    return claimed;
  }

  /** Writes what came of attempts. Each write names the generation that its claim made: a later one wins. */
  async settle(writes: readonly OutcomeWrite[]): Promise<void> {
    if (writes.length === 0) return;
    await this.model.collection.bulkWrite(
      writes.map(({ ids, generation, stages }) => ({
        updateMany: { filter: { _id: { $in: [...ids] }, generation }, update: stages },
      })),
      { ordered: false },
    );
  }

  /**
   * Changes a delivery as an operator asked, unless it changed meanwhile.
   * Returns the delivery as it is then, or null when it was not as it was read.
   */
  async change(before: DeliveryRecord, changes: Partial<DeliveryRecord>): Promise<DeliveryRecord | null> {
    const changed = await this.model.collection.findOneAndUpdate(
      { _id: before._id, company: before.company, generation: before.generation },
      { $set: dehydrate(changes), $inc: { generation: 1 } },
      { returnDocument: 'after' },
    );
    return changed === null ? null : hydrate(DeliveryRecord, changed);
  }

  /** Adds deliveries that are not there yet. Returns those that were added. */
  async addMissing(deliveries: readonly DeliveryRecord[]): Promise<DeliveryRecord[]> {
    const added: DeliveryRecord[] = [];
    for (const delivery of deliveries) {
      const { _id, event, webhook, ...rest } = deliveryRow(delivery);
      const { upsertedCount } = await this.model.collection.updateOne(
        { event, webhook },
        { $setOnInsert: { _id, ...rest } },
        { upsert: true },
      );
      if (upsertedCount === 1) added.push(delivery);
    }
    return added;
  }

  private async rows(filter: Record<string, unknown>, limit: number): Promise<DueRow[]> {
    const found = await this.model.collection
      .find(filter, { projection: DUE_FIELDS })
      .sort({ next_attempt: 1 })
      .limit(limit)
      .toArray();
    return found as unknown as DueRow[];
  }

  private async ofClaim(tickets: readonly DueDelivery[], claim: string): Promise<DueDelivery[]> {
    const found = await this.model.collection
      .find({ _id: { $in: tickets.map(({ id }) => id) }, claimed_by: claim }, { projection: { _id: 1 } })
      .toArray();
    const mine = new Set(found.map(({ _id }) => _id.toHexString()));
    return tickets.filter(({ key }) => mine.has(key));
  }
}

function byGeneration(tickets: readonly DueDelivery[]): Map<number, DueDelivery[]> {
  const groups = new Map<number, DueDelivery[]>();
  for (const ticket of tickets) {
    const group = groups.get(ticket.generation);
    if (group) group.push(ticket);
    else groups.set(ticket.generation, [ticket]);
  }
  return groups;
}
