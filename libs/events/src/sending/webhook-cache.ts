import { Injectable } from '@nestjs/common';
import DataLoader from 'dataloader';
import { LRUCache } from 'lru-cache';

import { endpointHash } from '../delivery/due-delivery.js';
import type { WebhookRecord } from '../webhooks/webhook.record.js';
import { WebhookStore, type WebhookKey } from '../webhooks/webhook.store.js';

/** A webhook as it was read, and when, by a monotonic clock. */
export interface CachedWebhook {
  /** Null if there is no such webhook. */
  readonly webhook: WebhookRecord | null;
  readonly endpointHash: string;
  readonly readAt: number;
}

/** Webhooks that are read along with one that has to be. */
const MAX_ALONG = 200;

/** Reads webhooks just before something is sent to them; one read serves all calls of one turn of the event loop. */
@Injectable()
export class WebhookCache {
  private readonly cached = new LRUCache<string, CachedWebhook>({ max: 5000 });
  /** Asked for since they were last read, and so probably again. */
  private readonly wanted = new Map<string, WebhookKey>();
  private readonly loader = new DataLoader<WebhookKey, CachedWebhook>((keys) => this.read(keys), {
    cache: false,
    batchScheduleFn: (read) => setImmediate(read),
  });

  constructor(private readonly store: WebhookStore) {}

  /** The webhook as it was at most `maxAgeMs` ago; undefined if it has to be read first. */
  peek(key: string, maxAgeMs: number): CachedWebhook | undefined {
    const found = this.cached.get(key);
    return found !== undefined && performance.now() - found.readAt <= maxAgeMs ? found : undefined;
  }

  /** The webhook as it was at most `maxAgeMs` ago. */
  async recent(webhook: WebhookKey, maxAgeMs: number): Promise<CachedWebhook> {
    const key = webhook._id.toHexString();
    if (this.wanted.size < MAX_ALONG) this.wanted.set(key, webhook);
    return this.peek(key, maxAgeMs) ?? this.loader.load(webhook);
  }

  /** Reads those webhooks that have not been read within `maxAgeMs`. */
  async refresh(webhooks: ReadonlyMap<string, WebhookKey>, maxAgeMs: number): Promise<void> {
    const stale = [...webhooks].filter(([key]) => this.peek(key, maxAgeMs) === undefined);
    await Promise.all(stale.map(([, webhook]) => this.loader.load(webhook)));
  }

  private async read(webhooks: readonly WebhookKey[]): Promise<CachedWebhook[]> {
    const named = webhooks.map((one) => [one._id.toHexString(), one] as const);
    const all = new Map([...this.wanted, ...named]);
    this.wanted.clear();
    const readAt = performance.now();
    const found = new Map(
      (await this.store.current([...all.values()])).map((one) => [one._id.toHexString(), one]),
    );
    const cachedOf = (key: string): CachedWebhook => {
      const webhook = found.get(key) ?? null;
      const hash = webhook === null ? '' : endpointHash(webhook.endpoint);
      return { webhook, endpointHash: hash, readAt };
    };
    for (const key of all.keys()) this.cached.set(key, cachedOf(key));
    return named.map(([key]) => cachedOf(key));
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
