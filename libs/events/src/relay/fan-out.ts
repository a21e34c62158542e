import type { ClaimsAhead } from '../delivery/claims-ahead.js';
import type { DeliveryRecord } from '../delivery/delivery.record.js';
import type { Claimed } from '../delivery/delivery-sender.js';
import { newDelivery } from '../delivery/new-delivery.js';
import { dueDelivery } from '../delivery/due-delivery.js';
import type { PendingEvent } from '../log/event.store.js';
import type { WebhookRecord } from '../webhooks/webhook.record.js';

/** What events lead to. */
export interface Fan {
  readonly deliveries: DeliveryRecord[];
  /** Those of them that are claimed from the beginning, with all that is needed to send them. */
  readonly claimed: Claimed[];
}

/**
 * One delivery for each event and each webhook of its kind, in the order of the log. What can be sent at once is
 * made as claimed: written once, it need not be found, claimed and read again.
 */
export function fanOut(
  events: readonly PendingEvent[],
  webhooks: readonly WebhookRecord[],
  claims: ClaimsAhead,
  now: Date,
): Fan {
  const byKind = new Map<string, WebhookRecord[]>();
  for (const webhook of webhooks) {
    const same = byKind.get(webhook.event_type);
    if (same) same.push(webhook);
    else byKind.set(webhook.event_type, [webhook]);
  }
  const fan: Fan = { deliveries: [], claimed: [] };
  for (const event of events) {
    for (const webhook of byKind.get(event.kind) ?? []) {
      const delivery = newDelivery(event, webhook, now);
      fan.deliveries.push(delivery);
      if (!claims.take(delivery.company.toHexString(), webhook.endpoint)) continue;
      const ticket = dueDelivery(delivery);
      delivery.generation = 1;
      delivery.attempt = 1;
      delivery.claimed_by = claims.claim;
      delivery.next_attempt = claims.leaseEnd;
      fan.claimed.push({ ticket, event, at: now, since: claims.since, endpoint: webhook.endpoint });
    }
  }
  return fan;
}
