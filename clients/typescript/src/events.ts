import type { components } from './schema.js';
import { verifyWebhook, type HeaderSource, type WebhookEvent } from './webhooks.js';

type Schemas = components['schemas'];

export type EventKind = Schemas['WebhookMessage']['kind'];

/** The schema of a record as events show it: that of `payment` is `PaymentInEvent`. */
type InEvent<Noun extends string> = `${Capitalize<Noun>}InEvent`;

type ObjectOf<K extends EventKind> = K extends `${infer Noun}.${string}`
  ? InEvent<Noun> extends keyof Schemas
    ? Schemas[InEvent<Noun>]
    : never
  : never;

/** An event typed by its kind: `kind` determines the type of `object` and `previous_data`. */
export type CommerceEvent = {
  [K in EventKind]: WebhookEvent<ObjectOf<K>> & { readonly kind: K };
}[EventKind];

/** The call that verifies an endpoint. */
export type WebhookConfirmation = Readonly<Schemas['WebhookConfirmation']>;

/**
 * Checks a delivery as `verifyWebhook` does, and returns it typed by its kind. A newer service may send other kinds.
 * @throws WebhookVerificationError when the signature is wrong or older than five minutes
 */
export function verifyEvent(
  body: string | Uint8Array,
  headers: HeaderSource,
  secret: string,
): CommerceEvent | WebhookConfirmation {
  return verifyWebhook(body, headers, secret) as unknown as CommerceEvent | WebhookConfirmation;
}
