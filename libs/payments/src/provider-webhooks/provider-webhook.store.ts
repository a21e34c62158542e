import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import type { Mode } from '@commerce/identity';
import {
  ANY_DATE,
  LeasedRows,
  RowCollection,
  dueBy,
  engineOf,
  isDuplicate,
  type Lease,
} from '@commerce/data';
import type { Collection, Connection } from 'mongoose';

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

const KEPT_S = 30 * 24 * 3600;

const WEBHOOKS = new RowCollection<ProviderWebhookRow>('provider_notices', {
  sharding: null,
  indexes: [
    { key: { check_at: 1 }, partialFilterExpression: { check_at: ANY_DATE } },
    { key: { received: 1 }, expireAfterSeconds: KEPT_S },
  ],
});

@Injectable()
export class ProviderWebhookStore {
  private readonly rows: Collection<ProviderWebhookRow>;
  private readonly leases: LeasedRows;

  constructor(@InjectConnection() connection: Connection) {
    this.rows = WEBHOOKS.in(connection);
    const rows = { collection: connection.collection(WEBHOOKS.name), engine: engineOf(connection) };
    this.leases = new LeasedRows(rows, { until: 'check_at' });
  }

  /** Stores a webhook; false when it was stored before. */
  async add(row: ProviderWebhookRow): Promise<boolean> {
    try {
      await this.rows.insertOne(row);
      return true;
    } catch (error) {
      if (isDuplicate(error)) return false;
      throw error;
    }
  }

  /** Webhooks without an effect yet, the longest waiting first. */
  async due(now: Date, limit: number): Promise<string[]> {
    const found = await this.rows
      .find({ check_at: dueBy(now) }, { projection: { _id: 1 } })
      .sort({ check_at: 1 })
      .limit(limit)
      .toArray();
    return found.map(({ _id }) => _id);
  }

  /** Leases a due webhook; null when it is not due, or no longer. */
  async lease(id: string, lease: Lease): Promise<ProviderWebhookRow | null> {
    return this.leases.take<ProviderWebhookRow>(id, lease, { add: { tries: 1 } });
  }

  async done(id: string): Promise<void> {
    await this.rows.updateOne({ _id: id }, { $set: { check_at: null } });
  }

  async postpone(id: string, until: Date): Promise<void> {
    await this.rows.updateOne({ _id: id, check_at: { $ne: null } }, { $set: { check_at: until } });
  }
}
