import { makeRecord, type Id } from '@commerce/records';

import type { WebhookRecord } from '../webhooks/webhook.record.js';
import { DeliveryRecord } from './delivery.record.js';

/** A delivery that is due immediately. */
export function newDelivery(
  event: { readonly _id: Id; readonly kind: string },
  webhook: WebhookRecord,
  now: Date,
): DeliveryRecord {
  return makeRecord(
    DeliveryRecord,
    {
      company: webhook.company,
      webhook: webhook._id,
      event: event._id,
      event_type: event.kind,
      endpoint: webhook.endpoint,
      next_attempt: now,
    },
    now,
  );
}
