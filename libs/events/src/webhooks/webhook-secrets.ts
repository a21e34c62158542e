import { randomBytes } from 'node:crypto';

import { Injectable } from '@nestjs/common';
import { Sealer } from '@commerce/platform';
import { copyWith, type Id } from '@commerce/records';
import { LRUCache } from 'lru-cache';

import { signingKey, signingSecret, type SigningKeys } from './signature.js';
import type { SealedSecrets, WebhookRecord } from './webhook.record.js';

/** For how long after a rotation deliveries are signed with the previous secret, too. */
const OVERLAP_MS = 24 * 3_600_000;
const MAX_OPENED = 5000;
/** For as long as this after a rotation a worker may still sign with what it has read before. */
const UNSURE_MS = 1000;

/** Generates, seals and opens the secrets of webhooks. The database only ever holds them sealed. */
@Injectable()
export class WebhookSecrets {
  /** Keys by their sealed secret, since every delivery needs one. */
  private readonly opened = new LRUCache<string, SigningKeys['current']>({ max: MAX_OPENED });

  constructor(private readonly sealer: Sealer) {}

  /** The secrets of a new webhook. */
  make(webhook: Id): SealedSecrets {
    return { current: this.sealNew(webhook), previous: null, previous_until: null };
  }

  /** A new secret; the previous one remains valid for receivers for a day. */
  rotate({ _id, secrets }: WebhookRecord, now: Date): SealedSecrets {
    const previous_until = new Date(now.getTime() + OVERLAP_MS);
    return { current: this.sealNew(_id), previous: secrets.current, previous_until };
  }

  /** A copy of the record that shows its secret, for admins. */
  reveal(webhook: WebhookRecord): WebhookRecord {
    const secret = this.sealer.open(webhook.secrets.current, placeOf(webhook._id));
    return copyWith(webhook, { secret, signing_secret: signingSecret(secret) });
  }

  /** The keys that sign what is sent to the webhook at this time. */
  keysOf({ _id, secrets }: WebhookRecord, now: Date): SigningKeys {
    const { current, previous, previous_until } = secrets;
    const overlaps = previous !== null && previous_until !== null && now < previous_until;
    return {
      current: this.keyOf(current, _id),
      previous: overlaps ? this.keyOf(previous, _id) : null,
    };
  }

  /** Whether the secrets are still those that signed at that time. */
  signedAt({ secrets: { previous_until } }: WebhookRecord, at: Date): boolean {
    return previous_until === null || at.getTime() >= previous_until.getTime() - OVERLAP_MS + UNSURE_MS;
  }

  private sealNew(webhook: Id): string {
    return this.sealer.seal(randomBytes(32).toString('hex'), placeOf(webhook));
  }

  private keyOf(sealed: string, webhook: Id): SigningKeys['current'] {
    const found = this.opened.get(sealed);
    if (found) return found;
    const key = signingKey(this.sealer.open(sealed, placeOf(webhook)));
    this.opened.set(sealed, key);
    return key;
  }
}

function placeOf(webhook: Id): [string, string, string] {
  return ['webhooks', webhook.toHexString(), 'secrets'];
}
