import type { LeaseOnCreation, LeasedDelivery } from '../delivery/leased-delivery.js';
import type { DeliveryRecord } from '../delivery/delivery.record.js';
import { dueDelivery } from '../delivery/due-delivery.js';
import { newDelivery } from '../delivery/new-delivery.js';
import type { PendingEvent } from '../log/event.store.js';
import { hears } from '../webhooks/webhook-kinds.js';
import type { WebhookRecord } from '../webhooks/webhook.record.js';

/** The deliveries of new events. */
export interface FanOut {
  readonly deliveries: DeliveryRecord[];
  /** Those of them that are created as leased, with all that is needed to send them. */
  readonly leased: LeasedDelivery[];
}

/**
 * Makes one delivery for each event and each webhook that hears of its kind, in the order of the log. Those that can be sent at
 * once are created as leased: they are written once, and need not be found, leased and read again.
 */
export function fanOut(
  events: readonly PendingEvent[],
  webhooks: readonly WebhookRecord[],
  lease: LeaseOnCreation,
  now: Date,
): FanOut {
  const byKind = new Map<string, readonly WebhookRecord[]>();
  const listeningTo = (kind: string): readonly WebhookRecord[] => {
    const known = byKind.get(kind);
    if (known !== undefined) return known;
    const found = webhooks.filter((webhook) => hears(webhook, kind));
    byKind.set(kind, found);
    return found;
  };
  const made: FanOut = { deliveries: [], leased: [] };
  for (const event of events) {
    for (const webhook of listeningTo(event.kind)) {
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
