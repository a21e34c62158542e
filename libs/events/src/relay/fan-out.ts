import type { LeaseOnCreation, LeasedDelivery } from '../delivery/leased-delivery.js';
import type { DeliveryRecord } from '../delivery/delivery.record.js';
import { dueDelivery } from '../delivery/due-delivery.js';
import { newDelivery } from '../delivery/new-delivery.js';
import type { PendingEvent } from '../log/event.store.js';
import type { WebhookRecord } from '../webhooks/webhook.record.js';

/** The deliveries of new events. */
export interface FanOut {
  readonly deliveries: DeliveryRecord[];
  /** Those of them that are created as leased, with all that is needed to send them. */
  readonly leased: LeasedDelivery[];
}

/**
 * Makes one delivery for each event and each webhook of its kind, in the order of the log. Those that can be sent at
 * once are created as leased: they are written once, and need not be found, leased and read again.
 */
export function fanOut(
  events: readonly PendingEvent[],
  webhooks: readonly WebhookRecord[],
  lease: LeaseOnCreation,
  now: Date,
): FanOut {
  const byKind = new Map<string, WebhookRecord[]>();
  for (const webhook of webhooks) {
    const same = byKind.get(webhook.event_type);
    if (same) same.push(webhook);
    else byKind.set(webhook.event_type, [webhook]);
  }
  const made: FanOut = { deliveries: [], leased: [] };
  for (const event of events) {
    for (const webhook of byKind.get(event.kind) ?? []) {
      const delivery = newDelivery(event, webhook, now);
      made.deliveries.push(delivery);
      const { body } = event;
      if (body === null || !lease.take(delivery.company.toHexString(), webhook.endpoint)) continue;
      const due = dueDelivery(delivery);
      delivery.generation = 1;
      delivery.attempt = 1;
      delivery.claimed_by = lease.name;
      delivery.next_attempt = lease.until;
      made.leased.push({
        due,
        event: { ...event, body },
        lease,
        endpoint: webhook.endpoint,
      });
    }
  }
  return made;
}
