import fc from 'fast-check';

import { TenantQueue, type Capacity, type QueueItem } from './tenant-queue.js';

const LIMITS = { perWebhook: 1000, perCompany: 5000, total: 10_000 };

function many(company: string, webhookKey: string, count: number): QueueItem[] {
  return Array.from({ length: count }, (_, index) => ({
    key: `${company}/${webhookKey}/${String(index)}`,
    company,
    webhookKey,
  }));
}

const everywhere = ({ webhookKey }: QueueItem): Capacity => ({ endpoint: webhookKey, free: Infinity });

function filled(...items: readonly QueueItem[][]): TenantQueue<QueueItem> {
  const queue = new TenantQueue<QueueItem>(LIMITS, 4);
  for (const item of items.flat()) queue.add(item);
  return queue;
}

describe('TenantQueue', () => {
  it('gives companies equal shares, however much one of them has waiting', () => {
    const queue = filled(many('a', 'a1', 1000), many('b', 'b1', 20));
    const taken = queue.take(40, everywhere);
    expect(taken.filter(({ company }) => company === 'b')).toHaveLength(20);
    expect(queue.size).toBe(980);
  });

  it('serves the webhooks of a company in turn', () => {
    const queue = filled(many('a', 'a1', 500), many('a', 'a2', 500));
    const taken = queue.take(40, everywhere);
    expect(taken.filter(({ webhookKey }) => webhookKey === 'a2')).toHaveLength(20);
  });

  it('keeps the order within a webhook', () => {
    const items = many('a', 'a1', 50);
    const queue = filled(items, many('a', 'a2', 50));
    const taken = [...queue.take(30, everywhere), ...queue.take(100, everywhere)];
    expect(taken.filter(({ webhookKey }) => webhookKey === 'a1')).toEqual(items);
  });

  it('takes no more than an endpoint has room for, however many webhooks lead to it', () => {
    const queue = filled(many('a', 'a1', 50), many('a', 'a2', 50), many('b', 'b1', 50));
    const taken = queue.take(1000, ({ webhookKey }) => ({
      endpoint: webhookKey === 'b1' ? 'b' : 'shared',
      free: webhookKey === 'b1' ? 50 : 7,
    }));
    expect(taken.filter(({ company }) => company === 'a')).toHaveLength(7);
    expect(taken.filter(({ company }) => company === 'b')).toHaveLength(50);
  });

  it('skips a webhook whose endpoint has no room', () => {
    const queue = filled(many('a', 'stuck', 50), many('a', 'free', 5));
    const taken = queue.take(10, ({ webhookKey }) => ({
      endpoint: webhookKey,
      free: webhookKey === 'stuck' ? 0 : 10,
    }));
    expect(taken.map(({ webhookKey }) => webhookKey)).toEqual(Array(5).fill('free'));
  });

  it('refuses what it has no room for', () => {
    const queue = new TenantQueue<QueueItem>({ perWebhook: 3, perCompany: 5, total: 7 }, 4);
    expect(many('a', 'a1', 5).map((item) => queue.add(item))).toEqual([true, true, true, false, false]);
    expect(many('a', 'a2', 5).map((item) => queue.add(item))).toEqual([true, true, false, false, false]);
    expect(many('b', 'b1', 5).map((item) => queue.add(item))).toEqual([true, true, false, false, false]);
    expect(queue.isFull).toBe(true);
  });

  it('holds nothing twice, and accepts it again once it was taken', () => {
    const [item] = many('a', 'a1', 1) as [QueueItem];
    const queue = filled([item], [item]);
    expect(queue.size).toBe(1);
    queue.take(1, everywhere);
    expect(queue.add(item)).toBe(true);
    expect(queue.waitingFor('a1')).toBe(1);
  });

  it('gives out exactly what was put in', () => {
    const item = fc.record({
      company: fc.constantFrom('a', 'b', 'c'),
      webhookKey: fc.constantFrom('1', '2', '3'),
    });
    fc.assert(
      fc.property(fc.array(item, { maxLength: 200 }), fc.integer({ min: 1, max: 30 }), (kinds, at) => {
        const items = kinds.map(({ company, webhookKey }, index) => ({
          key: String(index),
          company,
          webhookKey: company + webhookKey,
        }));
        const queue = filled(items);
        const taken: QueueItem[] = [];
        while (queue.size > 0) taken.push(...queue.take(at, everywhere));
        expect(taken.map(({ key }) => key).sort()).toEqual(items.map(({ key }) => key).sort());
        expect(queue.take(10, everywhere)).toEqual([]);
      }),
    );
  });
});
