import { createHmac, timingSafeEqual } from 'node:crypto';

import { Webhook } from 'standardwebhooks';

import { idIn, type Client } from './client.js';
import { eventually } from './eventually.js';
import { Receiver, type Received } from './receiver.js';

/** A webhook with its secrets, as the service shows it to its company. */
interface RegisteredWebhook {
  readonly _id: { readonly $oid: string };
  readonly secret: string;
  readonly signing_secret: string;
  readonly verified: boolean;
}

/** An event as it was delivered. */
export interface Message {
  readonly kind: string;
  readonly object: any;
  /** Whether both signatures are correct. */
  readonly signed: boolean;
}

/**
 * A correct merchant's endpoint: one webhook for all its kinds of events, and 200 only for messages with two valid
 * signatures, the confirmation included.
 */
export class MerchantEndpoint {
  readonly messages: Message[] = [];
  private webhook: RegisteredWebhook | null = null;

  private constructor(
    private readonly receiver: Receiver,
    private readonly client: Client,
    private readonly onMessage: (message: Message) => void,
  ) {
    receiver.answers((received) => this.take(received));
  }

  static async start(
    client: Client,
    onMessage: (message: Message) => void = () => undefined,
    receiver?: Receiver,
  ): Promise<MerchantEndpoint> {
    return new MerchantEndpoint(receiver ?? (await Receiver.start()), client, onMessage);
  }

  get url(): string {
    return this.receiver.url;
  }

  /** Registers a webhook for these kinds, and has it verified once its secret is known here. */
  async register(kinds: readonly string[], path = ''): Promise<void> {
    const endpoint = `${this.url}/${path}`;
    const made = { kinds, endpoint, confirm: 'later' };
    this.webhook = await this.client.made<RegisteredWebhook>('/webhooks', made);
    await this.client.made(`/webhooks/${idIn(this.webhook)}/verify`);
  }

  /** Waits until the service has verified all endpoints, which it does before it sends events. */
  async untilVerified(): Promise<void> {
    await eventually(
      () => this.client.read<RegisteredWebhook[]>('/webhooks', { size: 100 }),
      (webhooks) => webhooks.every(({ verified }) => verified),
      30_000,
      { what: 'the webhooks to be verified' },
    );
  }

  /** Deletes the webhook, if the service still answers. */
  async unregister(): Promise<void> {
    const { webhook } = this;
    this.webhook = null;
    if (webhook !== null) await this.client.delete(`/webhooks/${idIn(webhook)}`).catch(() => undefined);
  }

  async stop(): Promise<void> {
    await this.receiver.stop();
  }

  private take(received: Received): number {
    const signed = this.webhook !== null && isSigned(received, this.webhook);
    if (received.headers['x-service-webhook-type'] === 'WebhookConfirmation') return signed ? 200 : 401;
    const message = { kind: String(received.json.kind), object: received.json.object, signed };
    this.messages.push(message);
    this.onMessage(message);
    return signed ? 200 : 401;
  }
}

function isSigned(received: Received, { secret, signing_secret }: RegisteredWebhook): boolean {
  return isHexSigned(received, secret) && isStandardSigned(received, signing_secret);
}

/** The digest of the exact bytes, in hexadecimal digits. */
function isHexSigned({ raw, headers }: Received, secret: string): boolean {
  const right = createHmac('sha256', secret).update(raw).digest();
  const given = Buffer.from(String(headers['x-service-webhook-signature']), 'hex');
  return given.length === right.length && timingSafeEqual(given, right);
}

/** By the Standard Webhooks library, which rejects old messages as well. */
function isStandardSigned({ raw, headers }: Received, secret: string): boolean {
  try {
    new Webhook(secret).verify(raw.toString(), headers as Record<string, string>);
    return true;
  } catch {
    return false;
  }
}
