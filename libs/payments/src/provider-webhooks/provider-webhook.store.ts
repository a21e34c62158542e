import { Injectable, type DynamicModule } from '@nestjs/common';
import { InjectModel, MongooseModule } from '@nestjs/mongoose';
import type { Mode } from '@commerce/identity';
import { ANY_DATE, LeasedRows, dueBy, engineOf, isDuplicate, type Lease } from '@commerce/data';
import { Schema, type Model } from 'mongoose';

import type { ProviderWebhook } from '../provider/card-provider.js';

/**
 * One webhook of the provider, by the provider's own id, kept for longer than the provider repeats a webhook. It has no
 * company, because only the provider's answer reveals the payment.
 */
export interface ProviderWebhookRow extends Pick<ProviderWebhook, 'about' | 'intent_id'> {
  readonly _id: string;
  /** The account that sent it. */
  readonly mode: Mode;
  readonly received: Date;
  readonly tries: number;
  /** Date at which it is processed again; null once it has taken effect. */
  readonly check_at: Date | null;
}

const NAME = 'ProviderWebhook';
const KEPT_S = 30 * 24 * 3600;

const schema = new Schema<ProviderWebhookRow>(
  {
    _id: { type: String, required: true },
    about: { type: String, required: true },
    intent_id: { type: String },
    mode: { type: String, required: true },
    received: { type: Date, required: true },
    tries: { type: Number, required: true },
    check_at: { type: Date },
  },
  {
    collection: 'provider_notices',
    versionKey: false,
    autoIndex: false,
    autoCreate: false,
    strictQuery: 'throw',
    bufferCommands: false,
  },
);
schema.index({ check_at: 1 }, { partialFilterExpression: { check_at: ANY_DATE } });
schema.index({ received: 1 }, { expireAfterSeconds: KEPT_S });

/** Makes the collection injectable into its store. */
export function providerWebhookModel(): DynamicModule {
  return MongooseModule.forFeature([{ name: NAME, schema }]);
}

@Injectable()
export class ProviderWebhookStore {
  private readonly leases: LeasedRows;

  constructor(@InjectModel(NAME) private readonly model: Model<ProviderWebhookRow>) {
    const { collection, db } = model;
    this.leases = new LeasedRows({ collection, engine: engineOf(db) }, { until: 'check_at' });
  }

  /** Stores a webhook; false when it was stored before. */
  async add(row: ProviderWebhookRow): Promise<boolean> {
    try {
      // The driver's type has no text ids.
      await this.model.collection.insertOne(row as never);
      return true;
    } catch (error) {
      if (isDuplicate(error)) return false;
      throw error;
    }
  }

  /** Webhooks without an effect yet, the longest waiting first. */
  async due(now: Date, limit: number): Promise<string[]> {
    const found = await this.model
      .find({ check_at: dueBy(now) }, { _id: 1 })
      .sort({ check_at: 1 })
      .limit(limit)
      .lean<{ _id: string }[]>();
    return found.map(({ _id }) => _id);
  }

  /** Leases a due webhook; null when it is not due, or no longer. */
  async lease(id: string, lease: Lease): Promise<ProviderWebhookRow | null> {
    return this.leases.take<ProviderWebhookRow>(id, lease, { add: { tries: 1 } });
  }

  async done(id: string): Promise<void> {
    await this.model.updateOne({ _id: id }, { $set: { check_at: null } });
  }

  async postpone(id: string, until: Date): Promise<void> {
    await this.model.updateOne({ _id: id, check_at: { $ne: null } }, { $set: { check_at: until } });
  }
}
