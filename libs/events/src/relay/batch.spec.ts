import type { EventKind } from '@commerce/kernel';

import type { StoredKinds } from '../webhooks/webhook-kinds.js';
import { batchFor } from './batch.js';

const listening = (event_type: EventKind, count: number): StoredKinds[] =>
  Array.from({ length: count }, () => ({ event_type, kinds: [event_type] }));

const ALL: StoredKinds = { event_type: null, kinds: ['*'] };

describe('batchFor', () => {
  it('reads the texts of those kinds alone that somebody listens to', () => {
    const webhooks = [...listening('order.created', 2), ...listening('user.created', 1)];
    expect(batchFor(webhooks).kinds).toEqual(new Set(['order.created', 'user.created']));
    expect(batchFor([]).kinds).toEqual(new Set());
  });

  it('reads those of each kind of a webhook with several, and all where one hears of all', () => {
    const several: StoredKinds = { event_type: null, kinds: ['order.created', 'user.updated'] };
    const one = listening('user.created', 1);
    expect(batchFor([several, ...one]).kinds).toEqual(
      new Set(['order.created', 'user.updated', 'user.created']),
    );
    expect(batchFor([several, ...one, ALL]).kinds).toBeNull();
  });

  it('counts webhooks for all kinds beside those of the most heard', () => {
    const all = Array.from({ length: 5 }, () => ALL);
    expect(batchFor([...listening('order.created', 5), ...all, ...listening('user.created', 4)]).size).toBe(
      200,
    );
    expect(batchFor(Array.from({ length: 20 }, () => ALL)).size).toBe(100);
  });

  it.each([
    { of: 'nobody', count: 0, size: 500 },
    { of: 'one webhook', count: 1, size: 500 },
    { of: 'ten', count: 10, size: 200 },
    { of: 'a hundred', count: 100, size: 50 },
  ])('takes $size events where $of hear of the same kind', ({ count, size }) => {
    const others = listening('user.created', 1);
    expect(batchFor([...listening('order.created', count), ...others]).size).toBe(size);
  });
});
