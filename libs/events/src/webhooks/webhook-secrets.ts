import { randomBytes } from 'node:crypto';

import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { CONFIG, type Config, type Id } from '@commerce/platform';
import { LRUCache } from 'lru-cache';

import { keyFromFile } from './key-file.js';
import { open, seal } from './sealing.js';
import { signingKey, signingSecret, type SigningKeys } from './signature.js';
import type { SealedSecrets, WebhookRecord } from './webhook.record.js';

/** For how long after a rotation deliveries are signed with the previous secret, too. */
const OVERLAP_MS = 24 * 3_600_000;
const MAX_OPENED = 5000;

/** Generates, seals and opens the secrets of webhooks. The database only ever holds them sealed. */
@Injectable()
export class WebhookSecrets implements OnModuleInit {
  private keys: readonly Uint8Array[];
  /** Keys by their sealed secret, since every delivery needs one. */
  private readonly opened = new LRUCache<string, SigningKeys['current']>({ max: MAX_OPENED });

  constructor(@Inject(CONFIG) private readonly config: Pick<Config, 'dataDir' | 'webhooks'>) {
    this.keys = config.webhooks.secretKeys;
  }

  async onModuleInit(): Promise<void> {
    if (this.keys.length === 0) this.keys = [await keyFromFile(this.config.dataDir)];
  }

  /** The secrets of a new webhook. */
  make(webhook: Id): SealedSecrets {
    return { current: this.sealNew(webhook), previous: null, previous_until: null };
  }

  /** A new secret; the previous one remains valid for receivers for a day. */
  rotate({ _id, secrets }: WebhookRecord, now: Date): SealedSecrets {
    const previous_until = new Date(now.getTime() + OVERLAP_MS);
    return { current: this.sealNew(_id), previous: secrets.current, previous_until };
  }

  /** A copy of the record that shows its secret, for admins. It must never be stored. */
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

  /** The keys that sign what is sent to the webhook at this time. */
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
    if (key === undefined) throw new Error('no key to seal secrets with: the module is not initialized');
    return seal(randomBytes(32).toString('hex'), webhook.toHexString(), key);
  }

  private keyOf(sealed: string, about: string): SigningKeys['current'] {
    const found = this.opened.get(sealed);
    if (found) return found;
    const key = signingKey(open(sealed, about, this.keys));
    this.opened.set(sealed, key);
    return key;
  }
}
