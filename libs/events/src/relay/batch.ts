import type { ReadKinds } from '../log/event.store.js';
import type { WebhookRecord } from '../webhooks/webhook.record.js';

const MOST_EVENTS = 500;
const FEWEST_EVENTS = 50;
const MOST_DELIVERIES = 2000;

/** Events that are read, and placed in one transaction with their deliveries. */
export interface Batch {
  readonly size: number;
  /** Kinds of events whose texts will probably be sent at once; null where that is not known. */
  readonly kinds: ReadKinds;
}

/** Before the company's webhooks were read for the first time. */
export const UNKNOWN: Batch = { size: 200, kinds: null };

/** Fewer events where several webhooks hear of one, since each of them adds a delivery to the transaction. */
export function batchFor(webhooks: readonly Pick<WebhookRecord, 'event_type'>[]): Batch {
  const listeners = new Map<string, number>();
  for (const { event_type } of webhooks) listeners.set(event_type, (listeners.get(event_type) ?? 0) + 1);
  const most = Math.max(1, ...listeners.values());
  const size = Math.min(MOST_EVENTS, Math.max(FEWEST_EVENTS, Math.floor(MOST_DELIVERIES / most)));
  return { size, kinds: new Set(listeners.keys()) };
}
