import { Injectable } from '@nestjs/common';
import { fault, fieldFault } from '@commerce/kernel';
import {
  JobQueue,
  retryOnConflict,
  readPage,
  type Caller,
  type Page,
  type RawQuery,
} from '@commerce/platform';

import { WebhookStore } from '../webhooks/webhook.store.js';
import { redeliverJob } from './delivery.jobs.js';
import { DELIVERY_STATUSES, type DeliveryRecord } from './delivery.record.js';
import { DeliveryStore } from './delivery.store.js';
import { DatabaseClock } from './database-clock.js';

type Owner = Pick<Caller, 'company'>;

/** What was and is owed to webhooks, for operators. */
@Injectable()
export class Deliveries {
  constructor(
    private readonly store: DeliveryStore,
    private readonly webhooks: WebhookStore,
    private readonly clock: DatabaseClock,
    private readonly jobs: JobQueue,
  ) {}

  /** The deliveries of a webhook, the newest first. */
  async ofWebhook({ company }: Owner, webhook: string, raw: RawQuery): Promise<Page<DeliveryRecord>> {
    const { _id } = await this.webhooks.in(company).get(webhook, { deleted: true });
    const query = readPage(raw, {
      sortable: ['created', 'updated', 'next_attempt'],
      sort: '-created',
      dates: { created: 'created', updated: 'updated' },
      others: ['status'],
    });
    const status = statusIn(raw);
    const filter = { webhook: _id, ...query.filter, ...(status === null ? {} : { status }) };
    return this.store.in(company).page({ ...query, filter });
  }

  async get({ company }: Owner, id: string): Promise<DeliveryRecord> {
    return this.store.in(company).get(id);
  }

  /**
   * Makes one more attempt at once: of a delivery that waits, its next one; of one that ended, a further one, after
   * which it ends again. What is under way stays as it is.
   */
  async retry({ company }: Owner, id: string): Promise<DeliveryRecord> {
    return retryOnConflict(async () => {
      const before = await this.store.in(company).get(id);
      if (before.claimed_by !== null) return before;
      await this.requireWanted(before);
      const now = await this.clock.now();
      const due = { next_attempt: now, updated: now };
      const after = await this.store.change(
        before,
        before.status === 'PENDING'
          ? due
          : { ...due, status: 'PENDING', reason: null, last_attempt: before.attempt + 1 },
      );
      if (after === null) throw fault('record.conflict', 'The delivery was changed meanwhile; try again');
      await this.jobs.add(redeliverJob, { data: { webhook: after.webhook.toHexString() } });
      return after;
    });
  }

  /** Sending it again would only drop it: better to say so. */
  private async requireWanted(delivery: DeliveryRecord): Promise<void> {
    const webhook = await this.webhooks.in(delivery.company).find(delivery.webhook);
    const wanted = webhook?.active === true && webhook.verified && webhook.endpoint === delivery.endpoint;
    if (wanted) return;
    throw fault(
      'delivery.state_conflict',
      'The webhook was deleted, is not active or not verified, or has another endpoint now',
    );
  }
}

function statusIn(raw: RawQuery): string | null {
  const value = raw['status'];
  if (value === undefined) return null;
  const status = DELIVERY_STATUSES.find((one) => typeof value === 'string' && one === value.toUpperCase());
  if (status === undefined)
    throw fieldFault('status', `status must be one of ${DELIVERY_STATUSES.join(', ')}`);
  return status;
}
