import { Inject, Injectable } from '@nestjs/common';
import { fault } from '@commerce/kernel';
import { RecordStore, type UnitOfWork } from '@commerce/data';
import { CONFIG, type Config } from '@commerce/platform';
import { InjectRecord, hydrate, type Id, type RecordModel } from '@commerce/records';
import type { mongo } from 'mongoose';

import { WebhookRecord } from './webhook.record.js';

/** How many webhooks a company has ever made; every new one writes here, so that they are made one by one. */
interface Made {
  readonly _id: Id;
  readonly webhooks: number;
}

@Injectable()
export class WebhookStore extends RecordStore<WebhookRecord> {
  constructor(
    @InjectRecord(WebhookRecord) model: RecordModel,
    @Inject(CONFIG) private readonly config: Pick<Config, 'limits'>,
  ) {
    super(model, WebhookRecord);
  }

  /** Holds the limit of webhooks per company: the commit of a new one fails when it is one too many. */
  requireRoom(work: UnitOfWork): void {
    const { webhooksPerCompany: most } = this.config.limits;
    if (most === 0) return;
    work.also(async (session) => {
      const { company } = work;
      await this.made.updateOne({ _id: company }, { $inc: { webhooks: 1 } }, { session, upsert: true });
      const kept = await this.model.collection
        .find({ company, deleted: false }, { session, projection: { _id: 1 }, limit: most + 1 })
        .toArray();
      if (kept.length > most) {
        const message = `A company may have at most ${String(most)} webhooks; delete one that is not needed`;
        throw fault('webhook.too_many', message, { limit: most });
      }
    });
  }

  private get made(): mongo.Collection<Made> {
    return this.model.db.collection<Made>('webhooks_made');
  }

  /** A company's webhooks that receive events. */
  async listening(company: Id): Promise<WebhookRecord[]> {
    const found = await this.model.collection
      .find({ company, active: true, verified: true, deleted: false })
      .toArray();
    return found.map((document) => hydrate(WebhookRecord, document));
  }

  /** Webhooks of any company by id, as they are now; for sending what is due to them. */
  async current(ids: readonly Id[]): Promise<WebhookRecord[]> {
    const found = await this.model.collection.find({ _id: { $in: [...ids] } }).toArray();
    return found.map((document) => hydrate(WebhookRecord, document));
  }

  /** Deactivates a webhook, unless its endpoint was changed meanwhile. Returns whether this call did it. */
  async deactivate(webhook: WebhookRecord, reason: string, now: Date): Promise<boolean> {
    const { modifiedCount } = await this.model.collection.updateOne(
      { _id: webhook._id, company: webhook.company, endpoint: webhook.endpoint, active: true },
      { $set: { active: false, reason, failing: null, updated: now }, $inc: { 'sys.version': 1 } },
    );
    return modifiedCount === 1;
  }

  /** Counts deliveries that were given up. Returns the updated webhook. */
  async countFailed(id: Id, deliveries: number, now: Date): Promise<WebhookRecord | null> {
    const { collection } = this.model;
    await collection.updateOne(
      { _id: id, failing: null },
      { $set: { failing: { since: now, deliveries: 0 } } },
    );
    const found = await collection.findOneAndUpdate(
      { _id: id },
      { $inc: { 'failing.deliveries': deliveries } },
      { returnDocument: 'after' },
    );
    return found === null ? null : hydrate(WebhookRecord, found);
  }

  /** Forgets the failures of a webhook: a delivery has arrived again. */
  async clearFailing(id: Id): Promise<void> {
    await this.model.collection.updateOne({ _id: id }, { $set: { failing: null } });
  }
}
