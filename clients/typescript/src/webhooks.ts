import { Webhook, WebhookVerificationError } from 'standardwebhooks';

export { WebhookVerificationError };

/** An event as an endpoint receives it: ids are strings, dates are milliseconds. */
export interface WebhookEvent<T = Readonly<Record<string, unknown>>> {
  readonly id: string;
  readonly kind: string;
  readonly object_type: string;
  readonly object: T;
  /** The values before, of the fields that changed. */
  readonly previous_data: Readonly<Partial<T>>;
  readonly created: number;
  /** 1, 2, 3 … for each object, without gaps. */
  readonly sequence: number;
  readonly url: string;
}

export type HeaderSource = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Checks a delivery and returns its event.
 * @param body the exact bytes or text of the request, not a parsed and rewritten one
 * @param secret the webhook's `signing_secret` (`whsec_…`), or its `secret` of 64 hexadecimal digits
 * @throws WebhookVerificationError when the signature is wrong or older than five minutes
 */
export function verifyWebhook<T>(
  body: string | Uint8Array,
  headers: HeaderSource,
  secret: string,
): WebhookEvent<T> {
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  const webhook = secret.startsWith('whsec_')
    ? new Webhook(secret)
    : new Webhook(new TextEncoder().encode(secret), { format: 'raw' });
  const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
  const signed = Object.fromEntries(names.map((name) => [name, headerOf(headers, name)]));
  return webhook.verify(text, signed) as WebhookEvent<T>;
}

function headerOf(headers: HeaderSource, name: string): string {
  if (headers instanceof Headers) return headers.get(name) ?? '';
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return typeof found === 'string' ? found : (found?.[0] ?? '');
}
