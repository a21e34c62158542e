/** Something that waits for a webhook of a company. */
export interface QueueItem {
  readonly key: string;
  readonly company: string;
  readonly webhookKey: string;
}

/** How many items an endpoint can take now; several webhooks may lead to one endpoint. */
export interface Capacity {
  readonly endpoint: string;
  readonly free: number;
}

export interface QueueLimits {
  readonly perWebhook: number;
  readonly perCompany: number;
  readonly total: number;
}

/** The items of one webhook. */
interface WebhookQueue<T> {
  readonly webhook: string;
  items: T[];
  /** The items before it are gone. Shifting the array would move all others. */
  head: number;
}

interface CompanyQueue<T> {
  readonly company: string;
  readonly webhooks: Map<string, WebhookQueue<T>>;
  size: number;
}

/**
 * Serves companies in turn, and within a company its webhooks, which the priorities of p-queue cannot express.
 * Deliveries beyond its room are refused, and remain due in the database.
 */
export class TenantQueue<T extends QueueItem> {
  private readonly companies = new Map<string, CompanyQueue<T>>();
  private readonly keys = new Set<string>();
  private readonly perWebhook = new Map<string, number>();

  constructor(
    private readonly limits: QueueLimits,
    /** How many items of one webhook are taken before the next one is served. */
    private readonly quantum: number,
  ) {}

  get size(): number {
    return this.keys.size;
  }

  get isFull(): boolean {
    return this.size >= this.limits.total;
  }

  waitingFor(webhook: string): number {
    return this.perWebhook.get(webhook) ?? 0;
  }

  /** Returns false if there is no room for the item. One that is waiting already is not added again. */
  add(item: T): boolean {
    if (this.keys.has(item.key)) return true;
    if (this.isFull) return false;
    const found = this.companies.get(item.company);
    if (found !== undefined && found.size >= this.limits.perCompany) return false;
    if (this.waitingFor(item.webhookKey) >= this.limits.perWebhook) return false;
    const company = found ?? this.companyQueue(item.company);
    webhookQueue(company, item.webhookKey).items.push(item);
    company.size += 1;
    this.perWebhook.set(item.webhookKey, this.waitingFor(item.webhookKey) + 1);
    this.keys.add(item.key);
    return true;
  }

  /** Whether the items of any webhook are such; it is asked about the first of each. */
  some(such: (item: T) => boolean): boolean {
    for (const { webhooks } of this.companies.values())
      for (const { items, head } of webhooks.values()) {
        const first = items[head];
        if (first !== undefined && such(first)) return true;
      }
    return false;
  }

  /** Takes up to `max` items; `capacityFor` tells where an item leads and how many fit in there. */
  take(max: number, capacityFor: (item: T) => Capacity): T[] {
    const taken: T[] = [];
    const free = new Map<string, number>();
    let progress = true;
    while (progress && taken.length < max) {
      progress = false;
      for (const company of [...this.companies.values()]) {
        const most = Math.min(this.quantum, max - taken.length);
        const items = this.takeFrom(company, most, capacityFor, free);
        taken.push(...items);
        if (items.length > 0) progress = true;
        if (taken.length >= max) break;
      }
    }
    return taken;
  }

  /** Serves the first webhook of a company that has both items and room; it and the company then go to the end. */
  private takeFrom(
    company: CompanyQueue<T>,
    most: number,
    capacityFor: (item: T) => Capacity,
    freeByEndpoint: Map<string, number>,
  ): readonly T[] {
    for (const queue of [...company.webhooks.values()]) {
      const first = queue.items[queue.head];
      if (first === undefined) continue;
      const capacity = capacityFor(first);
      const free = freeByEndpoint.get(capacity.endpoint) ?? capacity.free;
      const count = Math.max(0, Math.min(most, free, queue.items.length - queue.head));
      freeByEndpoint.set(capacity.endpoint, free - count);
      if (count === 0) continue;
      const items = queue.items.slice(queue.head, queue.head + count);
      for (const { key } of items) this.keys.delete(key);
      this.advance(company, queue, count);
      return items;
    }
    return [];
  }

  private advance(company: CompanyQueue<T>, queue: WebhookQueue<T>, count: number): void {
    queue.head += count;
    company.size -= count;
    const left = this.waitingFor(queue.webhook) - count;
    if (left === 0) this.perWebhook.delete(queue.webhook);
    else this.perWebhook.set(queue.webhook, left);
    company.webhooks.delete(queue.webhook);
    if (queue.head < queue.items.length) {
      if (queue.head > 1000) {
        queue.items = queue.items.slice(queue.head);
        queue.head = 0;
      }
      company.webhooks.set(queue.webhook, queue);
    }
    this.companies.delete(company.company);
    if (company.size > 0) this.companies.set(company.company, company);
  }

  private companyQueue(company: string): CompanyQueue<T> {
    const made: CompanyQueue<T> = { company, webhooks: new Map(), size: 0 };
    this.companies.set(company, made);
    return made;
  }
}

function webhookQueue<T>(company: CompanyQueue<T>, webhook: string): WebhookQueue<T> {
  const found = company.webhooks.get(webhook);
  if (found) return found;
  const made: WebhookQueue<T> = { webhook, items: [], head: 0 };
  company.webhooks.set(webhook, made);
  return made;
}
