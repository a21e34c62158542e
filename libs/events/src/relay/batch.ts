import type { ReadKinds } from '../log/event.store.js';
import type { StoredKinds, WebhookKind } from '../webhooks/webhook-kinds.js';

const MOST_EVENTS = 500;
const FEWEST_EVENTS = 50;
const MOST_DELIVERIES = 2000;

/** Events that are read, and placed in one transaction with their deliveries. */
export interface Batch {
  readonly size: number;
  /** Kinds of events whose texts will probably be sent immediately; null for all, and where that is unknown. */
  readonly kinds: ReadKinds;
}

/** Before the company's webhooks were read for the first time. */
export const UNKNOWN: Batch = { size: 200, kinds: null };

/** Fewer events where several webhooks hear of one, since each of them adds a delivery to the transaction. */
export function batchFor(webhooks: readonly StoredKinds[]): Batch {
  const listeners = new Map<WebhookKind, number>();
  for (const kind of webhooks.flatMap(({ kinds }) => kinds))
    listeners.set(kind, (listeners.get(kind) ?? 0) + 1);
  const ofAll = listeners.get('*') ?? 0;
  listeners.delete('*');
  const most = Math.max(1, ofAll + Math.max(0, ...listeners.values()));
  const size = Math.min(MOST_EVENTS, Math.max(FEWEST_EVENTS, Math.floor(MOST_DELIVERIES / most)));
  return { size, kinds: ofAll > 0 ? null : new Set(listeners.keys()) };
}
