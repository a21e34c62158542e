import { randomBytes } from 'node:crypto';

import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { CONFIG, type Config, type Id } from '@commerce/platform';

import { signingKey, signingSecret, type SigningKeys } from './signature.js';
import { keyFromFile } from './key-file.js';
import { open, seal } from './sealing.js';
import type { SealedSecrets, WebhookRecord } from './webhook.record.js';

/** How long receivers may check by the secret before a rotation. */
const OVERLAP_MS = 24 * 3_600_000;
const MAX_OPENED = 5000;

/** Makes, seals and opens the secrets of webhooks; at rest they lie sealed only. */
@Injectable()
export class WebhookSecrets implements OnModuleInit {
  private keys: readonly Uint8Array[];
  /** Keys by sealed secret; every delivery needs one. */
  private readonly opened = new Map<string, SigningKeys['current']>();

  constructor(@Inject(CONFIG) private readonly config: Pick<Config, 'dataDir' | 'webhooks'>) {
    this.keys = config.webhooks.secretKeys;
  }

  async onModuleInit(): Promise<void> {
    if (this.keys.length === 0) this.keys = [await keyFromFile(this.config.dataDir)];
  }

  /** Secrets of a new webhook. */
  make(webhook: Id): SealedSecrets {
    return { current: this.sealNew(webhook), previous: null, previous_until: null };
  }

  /** A new secret; the one before stays good for receivers for a day. */
  rotate({ _id, secrets }: WebhookRecord, now: Date): SealedSecrets {
    const previous_until = new Date(now.getTime() + OVERLAP_MS);
    return { current: this.sealNew(_id), previous: secrets.current, previous_until };
  }

  /** The record with its secret for an admin to see. It is never to be written. */
  reveal(webhook: WebhookRecord): WebhookRecord {
    const secret = open(webhook.secrets.current, webhook._id.toHexString(), this.keys);
    const shown = Object.assign(
      Object.create(Object.getPrototypeOf(webhook) as object) as WebhookRecord,
      webhook,
    );
    shown.secret = secret;
    shown.signing_secret = signingSecret(secret);
    return shown;
  }

  /** The keys that sign what is sent to the webhook now. */
  keysOf({ _id, secrets }: WebhookRecord, now: Date): SigningKeys {
    const about = _id.toHexString();
    const { current, previous, previous_until } = secrets;
    const overlaps = previous !== null && previous_until !== null && now < previous_until;
    return {
      current: this.keyOf(current, about),
      previous: overlaps ? this.keyOf(previous, about) : null,
    };
  }

  private sealNew(webhook: Id): string {
    const [key] = this.keys;
    if (key === undefined) throw new Error('secrets are made after the start only');
    return seal(randomBytes(32).toString('hex'), webhook.toHexString(), key);
  }

  private keyOf(sealed: string, about: string): SigningKeys['current'] {
    const found = this.opened.get(sealed);
    if (found) return found;
    const key = signingKey(open(sealed, about, this.keys));
    if (this.opened.size >= MAX_OPENED) this.opened.clear();
    this.opened.set(sealed, key);
    return key;
  }
}
