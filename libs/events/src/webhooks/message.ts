import { hexSignature, standardSignatures, type SigningKeys } from './signature.js';

/** Webhooks created with an older API version also get the header names of that time. */
const RENAMED = '2019-08-15';

export type MessageType = 'WebhookConfirmation' | 'WebhookMessage';

export interface Message {
  readonly type: MessageType;
  /** The same in every attempt, so that receivers can recognise repeats. */
  readonly id: string;
  /** The exact bytes that are signed and sent. */
  readonly body: Uint8Array;
  /** The number of attempts before this one. */
  readonly retries: number;
  /** The API version that the webhook was created with, YYYY-MM-DD. */
  readonly version: string;
}

/**
 * The bytes of a delivery: the stored text of the event with the endpoint's URL as its last key. The text is never
 * parsed and serialized again, so every attempt sends the same bytes.
 */
export function deliveryBody(eventBody: string, endpoint: string): Buffer {
  return Buffer.from(`${eventBody.slice(0, -1)},"url":${JSON.stringify(endpoint)}}`, 'utf8');
}

/** The body of a verification call. */
export function confirmationBody(challenge: string, webhook: string): Buffer {
  return Buffer.from(JSON.stringify({ kind: 'webhook.confirmation', challenge, webhook }), 'utf8');
}

/** All headers of one attempt. None contains text from customers. */
export function messageHeaders(message: Message, keys: SigningKeys, now: Date): Record<string, string> {
  const { type, id, body, version } = message;
  const timestamp = Math.floor(now.getTime() / 1000);
  const signature = hexSignature(keys.current, body);
  const retries = String(message.retries);
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    'user-agent': 'Commerce-Webhooks/1.0',
    'X-Service-Webhook-Signature': signature,
    'X-Service-Webhook-Type': type,
    'X-Service-Webhook-Retries': retries,
    'X-Service-Event-Retries': retries,
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': standardSignatures(keys, id, timestamp, body),
  };
  if (version < RENAMED) {
    headers['X-Service-Event-Signature'] = signature;
    headers['X-Service-Event-Type'] = type;
  }
  return headers;
}
