import { Injectable } from '@nestjs/common';
import { InjectRecord, RecordStore, hydrate, type Id, type RecordModel } from '@commerce/platform';

import { WebhookRecord } from './webhook.record.js';

@Injectable()
export class WebhookStore extends RecordStore<WebhookRecord> {
  constructor(@InjectRecord(WebhookRecord) model: RecordModel) {
    super(model, WebhookRecord);
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

  /** Counts deliveries that were given up. Returns the webhook as it is afterwards. */
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
