import type Stripe from 'stripe';

import type { ProviderWebhook } from './card-provider.js';

/** What a webhook is about; nothing else in it is believed, because it may be old by now. */
export function readWebhook(event: Stripe.Event): ProviderWebhook {
  return { id: event.id, about: aboutOf(event.type), intent_id: intentIdOf(event.data.object) };
}

/** When a webhook was signed, in seconds; the last `t` counts, as it does for the SDK. */
export function timeOfSignature(header: string): number {
  const times = header.split(',').filter((part) => part.startsWith('t='));
  return Number(times.at(-1)?.slice(2));
}

function aboutOf(type: string): ProviderWebhook['about'] {
  if (type.startsWith('payment_intent.')) return 'intent';
  if (type.startsWith('charge.dispute.')) return 'dispute';
  if (type.startsWith('refund.') || type.startsWith('charge.refund')) return 'refund';
  return type.startsWith('charge.') ? 'intent' : 'other';
}

function intentIdOf(about: object): string | null {
  const {
    object,
    id,
    payment_intent: intent,
  } = about as { object?: unknown; id?: unknown; payment_intent?: unknown };
  if (object === 'payment_intent') return textOf(id);
  return textOf(typeof intent === 'object' && intent !== null ? (intent as { id?: unknown }).id : intent);
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
