import { Injectable } from '@nestjs/common';
import type { Id } from '@commerce/records';
import { LRUCache } from 'lru-cache';

import { endpointHash } from '../delivery/due-delivery.js';
import type { WebhookRecord } from '../webhooks/webhook.record.js';
import { WebhookStore } from '../webhooks/webhook.store.js';

/** A webhook as it was read, and when, by a monotonic clock. */
export interface CachedWebhook {
  /** Null if there is no such webhook. */
  readonly webhook: WebhookRecord | null;
  readonly endpointHash: string;
  readonly readAt: number;
}

/** Webhooks that are read along with one that has to be. */
const MAX_ALONG = 200;

/** Reads webhooks just before something is sent to them. Reads requested at the same time are combined. */
@Injectable()
export class WebhookCache {
  private readonly cached = new LRUCache<string, CachedWebhook>({ max: 5000 });
  private readonly requested = new Map<string, Id>();
  /** Asked for since they were last read, and so probably again. */
  private readonly wanted = new Map<string, Id>();
  private reading: Promise<void> | null = null;

  constructor(private readonly store: WebhookStore) {}

  /** The webhook as it was at most `maxAgeMs` ago; undefined if it has to be read first. */
  peek(key: string, maxAgeMs: number): CachedWebhook | undefined {
    const found = this.cached.get(key);
    return found !== undefined && performance.now() - found.readAt <= maxAgeMs ? found : undefined;
  }

  /** The webhook as it was at most `maxAgeMs` ago. */
  async recent(key: string, id: Id, maxAgeMs: number): Promise<CachedWebhook | null> {
    if (this.wanted.size < MAX_ALONG) this.wanted.set(key, id);
    const found = this.peek(key, maxAgeMs);
    if (found !== undefined) return found;
    await this.refresh(new Map([[key, id]]), maxAgeMs);
    return this.peek(key, Infinity) ?? null;
  }

  /** Reads those webhooks that have not been read within `maxAgeMs`. */
  async refresh(ids: ReadonlyMap<string, Id>, maxAgeMs: number): Promise<void> {
    let isStale = false;
    for (const [key, id] of ids) {
      if (this.peek(key, maxAgeMs) !== undefined) continue;
      this.requested.set(key, id);
      isStale = true;
    }
    if (isStale) await (this.reading ??= this.readSoon());
  }

  private async readSoon(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    const requested = [...new Map([...this.wanted, ...this.requested])];
    this.wanted.clear();
    this.requested.clear();
    // Requests from now on need another read: this one may show what was true before their reason arose.
    this.reading = null;
    const readAt = performance.now();
    const webhooks = await this.store.current(requested.map(([, id]) => id));
    const found = new Map(webhooks.map((webhook) => [webhook._id.toHexString(), webhook]));
    for (const [key] of requested) {
      const webhook = found.get(key) ?? null;
      const hash = webhook === null ? '' : endpointHash(webhook.endpoint);
      this.cached.set(key, { webhook, endpointHash: hash, readAt });
    }
  }
}

/** Why a delivery meant for the endpoint with this hash may not be sent to the webhook; null if it may. */
export function refusal({ webhook, endpointHash }: CachedWebhook, meantFor: string): string | null {
  if (webhook === null || webhook.deleted) return 'webhook_deleted';
  if (!webhook.active) return 'webhook_inactive';
  // A change of the endpoint also removes the verification: report the cause, not the consequence.
  if (endpointHash !== meantFor) return 'endpoint_changed';
  if (!webhook.verified) return 'webhook_unverified';
  return null;
}
