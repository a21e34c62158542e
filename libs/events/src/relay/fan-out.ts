import type { DeliveryRecord } from '../delivery/delivery.record.js';
import { newDelivery } from '../delivery/new-delivery.js';
import type { PendingEvent } from '../log/event.store.js';
import type { WebhookRecord } from '../webhooks/webhook.record.js';

/** One delivery for each event and each webhook of its kind, in the order of the log. */
export function fanOut(
  events: readonly PendingEvent[],
  webhooks: readonly WebhookRecord[],
  now: Date,
): DeliveryRecord[] {
  const byKind = new Map<string, WebhookRecord[]>();
  for (const webhook of webhooks) {
    const same = byKind.get(webhook.event_type);
    if (same) same.push(webhook);
    else byKind.set(webhook.event_type, [webhook]);
  }
  return events.flatMap((event) =>
    (byKind.get(event.kind) ?? []).map((webhook) => newDelivery(event, webhook, now)),
  );
}
