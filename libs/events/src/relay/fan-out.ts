import type { ClaimOnCreation, ClaimedDelivery } from '../delivery/claim.js';
import type { DeliveryRecord } from '../delivery/delivery.record.js';
import { dueDelivery } from '../delivery/due-delivery.js';
import { newDelivery } from '../delivery/new-delivery.js';
import type { PendingEvent } from '../log/event.store.js';
import type { WebhookRecord } from '../webhooks/webhook.record.js';

/** The deliveries of new events. */
export interface FanOut {
  readonly deliveries: DeliveryRecord[];
  /** Those of them that are created as claimed, with all that is needed to send them. */
  readonly claimed: ClaimedDelivery[];
}

/**
 * Makes one delivery for each event and each webhook of its kind, in the order of the log. Those that can be sent at
 * once are created as claimed: they are written once, and need not be found, claimed and read again.
 */
export function fanOut(
  events: readonly PendingEvent[],
  webhooks: readonly WebhookRecord[],
  claim: ClaimOnCreation,
  now: Date,
): FanOut {
  const byKind = new Map<string, WebhookRecord[]>();
  for (const webhook of webhooks) {
    const same = byKind.get(webhook.event_type);
    if (same) same.push(webhook);
    else byKind.set(webhook.event_type, [webhook]);
  }
  const made: FanOut = { deliveries: [], claimed: [] };
  for (const event of events) {
    for (const webhook of byKind.get(event.kind) ?? []) {
      const delivery = newDelivery(event, webhook, now);
      made.deliveries.push(delivery);
      const { body } = event;
      if (body === null || !claim.take(delivery.company.toHexString(), webhook.endpoint)) continue;
      const due = dueDelivery(delivery);
      delivery.generation = 1;
      delivery.attempt = 1;
      delivery.claimed_by = claim.name;
      delivery.next_attempt = claim.leaseEnd;
      made.claimed.push({
        due,
        event: { ...event, body },
        at: now,
        since: claim.since,
        endpoint: webhook.endpoint,
      });
    }
  }
  return made;
}
