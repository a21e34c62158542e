import { Inject, Injectable } from '@nestjs/common';
import { fault } from '@commerce/kernel';
import { RecordStore, RowCollection, type UnitOfWork } from '@commerce/data';
import { CONFIG, type Config } from '@commerce/platform';
import {
  BY_COMPANY_ID,
  InjectRecord,
  distinctIds,
  hydrate,
  type Id,
  type RecordModel,
} from '@commerce/records';

import { WebhookRecord } from './webhook.record.js';

/** A webhook and its company. */
export type WebhookKey = Pick<WebhookRecord, '_id' | 'company'>;

/** How many webhooks a company has ever made; every new one writes here, so that they are made one by one. */
interface Made {
  readonly _id: Id;
  readonly webhooks: number;
}

const MADE = new RowCollection<Made>('webhooks_made', { sharding: BY_COMPANY_ID });

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
      const made = MADE.in(this.model.db);
      await made.updateOne({ _id: company }, { $inc: { webhooks: 1 } }, { session, upsert: true });
      const kept = await this.model.collection
        .find({ company, deleted: false }, { session, projection: { _id: 1 }, limit: most + 1 })
        .toArray();
      if (kept.length > most) {
        const message = `A company may have at most ${String(most)} webhooks; delete one that is not needed`;
        throw fault('webhook.too_many', message, { limit: most });
      }
    });
  }

  /** A company's webhooks that receive events. */
  async listening(company: Id): Promise<WebhookRecord[]> {
    const found = await this.model.collection
      .find({ company, active: true, verified: true, deleted: false })
      .toArray();
    return found.map((document) => hydrate(WebhookRecord, document));
  }

  /** These webhooks as they are now; for sending what is due to them. */
  async current(keys: readonly WebhookKey[]): Promise<WebhookRecord[]> {
    const companies = distinctIds(keys.map(({ company }) => company));
    const ids = keys.map(({ _id }) => _id);
    const filter = this.engine.withId({ $in: ids }, { company: { $in: companies } });
    const found = await this.model.collection.find(filter).toArray();
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
  async countFailed(
    { _id, company }: WebhookKey,
    deliveries: number,
    now: Date,
  ): Promise<WebhookRecord | null> {
    const { collection } = this.model;
    await collection.updateOne(
      { _id, company, failing: null },
      { $set: { failing: { since: now, deliveries: 0 } } },
    );
    const found = await collection.findOneAndUpdate(
      { _id, company },
      { $inc: { 'failing.deliveries': deliveries } },
      { returnDocument: 'after' },
    );
    return found === null ? null : hydrate(WebhookRecord, found);
  }

  /** Forgets the failures of a webhook: a delivery has arrived again. */
  async clearFailing({ _id, company }: WebhookKey): Promise<void> {
    await this.model.collection.updateOne({ _id, company }, { $set: { failing: null } });
  }
}
