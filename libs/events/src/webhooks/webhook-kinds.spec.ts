import { EVENT_KINDS } from '@commerce/kernel';
import { hydrate } from '@commerce/records';

import { firstKind, hears, kindsOf, storedKinds } from './webhook-kinds.js';
import { WebhookRecord } from './webhook.record.js';

describe('the kinds of a webhook', () => {
  it('are stored with the only one by itself', () => {
    expect(storedKinds({ event_type: 'user.created' })).toEqual({
      event_type: 'user.created',
      kinds: ['user.created'],
    });
    expect(storedKinds({ kinds: ['user.created', 'user.created'] })).toEqual({
      event_type: 'user.created',
      kinds: ['user.created'],
    });
    expect(storedKinds({ event_type: null, kinds: ['user.created', 'order.created'] })).toEqual({
      event_type: null,
      kinds: ['user.created', 'order.created'],
    });
  });

  it('are all where one of them is *', () => {
    expect(storedKinds({ kinds: ['user.created', '*'] })).toEqual({ event_type: null, kinds: ['*'] });
  });

  it('are none of a request that names none, and refused in two fields', () => {
    expect(storedKinds({})).toBeUndefined();
    expect(storedKinds({ event_type: null, kinds: [] })).toBeUndefined();
    expect(() => storedKinds({ event_type: 'user.created', kinds: ['user.created'] })).toThrow(
      'kinds must not be given with event_type',
    );
  });

  it('are those of event_type in a webhook of an earlier version', () => {
    expect(hydrate(WebhookRecord, { event_type: 'user.created' }).kinds).toEqual(['user.created']);
    // A process of an earlier version has changed event_type beside the list.
    const changed = { event_type: 'user.updated', kinds: ['user.created', 'order.created'] } as const;
    expect(kindsOf(changed)).toEqual(['user.updated']);
    expect([hears(changed, 'user.updated'), hears(changed, 'user.created')]).toEqual([true, false]);
  });

  it('hear of kinds that are not known yet where they are all', () => {
    expect(hears({ event_type: null, kinds: ['*'] }, 'invoice.sent')).toBe(true);
    expect(firstKind({ event_type: null, kinds: ['*'] })).toBe(EVENT_KINDS[0]);
    expect(firstKind({ event_type: null, kinds: ['user.updated', 'user.created'] })).toBe('user.updated');
  });
});
