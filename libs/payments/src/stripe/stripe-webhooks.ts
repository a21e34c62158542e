import type Stripe from 'stripe';

import type { ProviderWebhook } from '../provider/card-provider.js';

/** The subject of a webhook; nothing else in it is trusted, because it may be outdated. */
export function readWebhook(event: Stripe.Event): ProviderWebhook {
  const { object } = event.data;
  return { id: event.id, about: aboutOf(event.type), intent_id: intentIdOf(object), named: namedIn(object) };
}

/** The time at which a webhook was signed, in seconds; the last `t` counts, as it does for the SDK. */
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

function namedIn(about: object): ProviderWebhook['named'] {
  const { metadata } = about as { metadata?: { company?: unknown; payment?: unknown } | null };
  const [company, payment] = [textOf(metadata?.company), textOf(metadata?.payment)];
  return company === null || payment === null ? null : { company, payment };
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
