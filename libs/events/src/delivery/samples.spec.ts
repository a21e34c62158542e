import { EVENT_KINDS } from '@commerce/kernel';

import { sampleObject } from './samples.js';

describe('sampleObject', () => {
  it.each(EVENT_KINDS)('looks like the object of %s', (kind) => {
    const { noun, id, object } = sampleObject(kind, 'c'.repeat(24), new Date(1_700_000_000_000));
    expect(kind.startsWith(`${noun}.`)).toBe(true);
    expect(id).toMatch(/^[0-9a-f]{24}$/);
    expect(object).toMatchObject({ _id: id, company: 'c'.repeat(24), created: 1_700_000_000_000 });
    expect(JSON.stringify(object)).not.toMatch(/\$oid|\$date/);
  });

  it('holds what a customer needs to authenticate a payment', () => {
    const { object } = sampleObject('payment.requires_auth', 'c', new Date());
    expect(object['metadata']).toHaveProperty('payment_intent_id');
    expect(object['metadata']).toHaveProperty('intent_client_secret');
  });
});
