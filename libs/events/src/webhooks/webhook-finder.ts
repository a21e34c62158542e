import { Injectable } from '@nestjs/common';
import { FindsRecords, type FoundRecord, type RecordFinder, type Sought } from '@commerce/data';
import type { Id } from '@commerce/records';

import { WebhookStore } from './webhook.store.js';

/** Webhooks of a company that are compared; few have more. */
const COMPARED = 500;

/** Finds webhooks by id, and by a part of their endpoint. */
@Injectable()
@FindsRecords()
export class WebhookFinder implements RecordFinder {
  readonly place = 8;

  constructor(private readonly store: WebhookStore) {}

  async find(company: Id, { text, id }: Sought, limit: number): Promise<FoundRecord[]> {
    const lowered = text.toLowerCase();
    const kept = await this.store.in(company).many({ deleted: false }, { limit: COMPARED });
    return kept
      .filter((one) => one._id.equals(id ?? '') || one.endpoint.toLowerCase().includes(lowered))
      .slice(0, limit)
      .map(({ _id, endpoint, created, verified }) => ({
        object_type: 'webhook',
        ...{ _id, name: endpoint, status: verified ? 'verified' : 'unverified', created },
      }));
  }
}
