import { EVENT_KINDS } from '@commerce/kernel';

import { firstKind, hears, storedKinds } from './webhook-kinds.js';

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

  it('hear of kinds that are not known yet where they are all', () => {
    expect(hears({ kinds: ['*'] }, 'invoice.sent')).toBe(true);
    expect(firstKind({ kinds: ['*'] })).toBe(EVENT_KINDS[0]);
    expect(firstKind({ kinds: ['user.updated', 'user.created'] })).toBe('user.updated');
  });
});
