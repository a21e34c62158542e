import type { WebhookRecord } from '../webhooks/webhook.record.js';
import { batchFor } from './batch.js';

type Listening = Pick<WebhookRecord, 'event_type'>;

const listening = (event_type: Listening['event_type'], count: number): Listening[] =>
  Array.from({ length: count }, () => ({ event_type }));

describe('batchFor', () => {
  it('reads the texts of those kinds alone that somebody listens to', () => {
    const webhooks = [...listening('order.created', 2), ...listening('user.created', 1)];
    expect(batchFor(webhooks).kinds).toEqual(new Set(['order.created', 'user.created']));
    expect(batchFor([]).kinds).toEqual(new Set());
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
