import { Injectable } from '@nestjs/common';
import type { Id } from '@commerce/platform';

import type { WebhookRecord } from '../webhooks/webhook.record.js';
import { WebhookStore } from '../webhooks/webhook.store.js';
import { endpointHash } from './due-delivery.js';

/** A webhook as it was read, and when, by a clock that only goes forward. */
export interface CachedWebhook {
  /** Null when there is no such webhook. */
  readonly webhook: WebhookRecord | null;
  readonly endpointHash: string;
  readonly readAt: number;
}

const MAX_KNOWN = 5000;

/** Reads webhooks anew for those who send to them; reads asked for at the same time become one. */
@Injectable()
export class WebhookCache {
  private readonly known = new Map<string, CachedWebhook>();
  private readonly asked = new Map<string, Id>();
  private reading: Promise<void> | null = null;

  constructor(private readonly store: WebhookStore) {}

  /** The webhook as it was at most `maxAgeMs` ago; undefined when it must be read first. */
  peek(key: string, maxAgeMs: number): CachedWebhook | undefined {
    const found = this.known.get(key);
    return found !== undefined && performance.now() - found.readAt <= maxAgeMs ? found : undefined;
  }

  /** Reads webhooks that were not read within `maxAgeMs`. */
  async refresh(ids: ReadonlyMap<string, Id>, maxAgeMs: number): Promise<void> {
    let missing = false;
    for (const [key, id] of ids) {
      if (this.peek(key, maxAgeMs) !== undefined) continue;
      this.asked.set(key, id);
      missing = true;
    }
    if (missing) await (this.reading ??= this.readSoon());
  }

  private async readSoon(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    const ids = [...this.asked];
    this.asked.clear();
    // Who asks from now on needs another read: this one may have started before its reason came up.
    this.reading = null;
    const readAt = performance.now();
    const found = new Map(
      (await this.store.current(ids.map(([, id]) => id))).map((webhook) => [
        webhook._id.toHexString(),
        webhook,
      ]),
    );
    for (const [key] of ids) {
      const webhook = found.get(key) ?? null;
      this.known.delete(key);
      this.known.set(key, {
        webhook,
        endpointHash: webhook === null ? '' : endpointHash(webhook.endpoint),
        readAt,
      });
    }
    for (const [oldest] of this.known) {
      if (this.known.size <= MAX_KNOWN) break;
      this.known.delete(oldest);
    }
  }
}

/** Why nothing may be sent to the webhook, for a delivery that was meant for the endpoint with this hash. */
export function refusal({ webhook, endpointHash }: CachedWebhook, meantFor: string): string | null {
  if (webhook === null || webhook.deleted) return 'webhook_deleted';
  if (!webhook.active) return 'webhook_inactive';
  // Changing the endpoint takes the verification with it: say the nearer reason.
  if (endpointHash !== meantFor) return 'endpoint_changed';
  if (!webhook.verified) return 'webhook_unverified';
  return null;
}
