import type { LeasedDelivery } from '../../delivery/leased-delivery.js';
import { CALLS_PER_ENDPOINT, EndpointQueue } from './endpoint-queue.js';

/** Endpoints remembered; beyond this, idle ones are forgotten. */
const MAX_REMEMBERED = 5000;

/** The queues of all endpoints that this worker has called lately, and which webhooks lead to them. */
export class EndpointQueues {
  private readonly byUrl = new Map<string, EndpointQueue>();
  /** By the webhook whose deliveries were last sent there. */
  private readonly byWebhook = new Map<string, EndpointQueue>();

  all(): Iterable<EndpointQueue> {
    return this.byUrl.values();
  }

  /** The queue that a webhook's deliveries go to; undefined before the first one. */
  forWebhook(webhook: string): EndpointQueue | undefined {
    return this.byWebhook.get(webhook);
  }

  /** The queue that a leased delivery goes to. */
  forDelivery({ due, endpoint }: LeasedDelivery): EndpointQueue {
    const queue = this.byUrl.get(endpoint) ?? this.create(endpoint);
    this.byWebhook.set(due.webhookKey, queue);
    return queue;
  }

  /** How many deliveries may be leased for an endpoint; one that is not known yet gets as many as may be sent at once. */
  room(url: string, now: number): number {
    return this.byUrl.get(url)?.room(now) ?? CALLS_PER_ENDPOINT;
  }

  /** Whether it is time to lease more for an endpoint. */
  runsLow(url: string, now: number): boolean {
    return this.byUrl.get(url)?.runsLow(now) ?? true;
  }

  /** For how long the endpoint of a webhook is left alone, as far as known. */
  waitMs(webhook: string, now: number): number {
    return this.byWebhook.get(webhook)?.breaker.waitMs(now) ?? 0;
  }

  private create(url: string): EndpointQueue {
    this.forgetIdle();
    const queue = new EndpointQueue(url);
    this.byUrl.set(url, queue);
    return queue;
  }

  private forgetIdle(): void {
    if (this.byUrl.size < MAX_REMEMBERED) return;
    for (const [url, queue] of this.byUrl) if (queue.isIdle) this.byUrl.delete(url);
    for (const [webhook, queue] of this.byWebhook) {
      if (!this.byUrl.has(queue.url)) this.byWebhook.delete(webhook);
    }
  }
}
