import fc from 'fast-check';

import { confirmationBody, deliveryBody, messageHeaders } from './message.js';
import { signingKey } from './signature.js';

const keys = { current: signingKey('s'.repeat(64)), previous: null };
const now = new Date(1_706_659_200_999);

function names(version: string): string[] {
  const message = {
    type: 'WebhookMessage',
    id: 'abc',
    body: Buffer.from('{}'),
    retries: 3,
    version,
  } as const;
  return Object.keys(messageHeaders(message, keys, now));
}

describe('the body of a delivery', () => {
  it('is the stored text of the event with the endpoint as last key', () => {
    const text = '{"id":"1","kind":"user.created","object":{"name":"a"}}';
    expect(deliveryBody(text, 'https://example.com/ü?a="b"').toString()).toBe(
      '{"id":"1","kind":"user.created","object":{"name":"a"},"url":"https://example.com/ü?a=\\"b\\""}',
    );
  });

  it('changes nothing of what the event holds', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }), fc.webUrl(), (object, url) => {
        const text = JSON.stringify({ object });
        const parsed = JSON.parse(deliveryBody(text, url).toString()) as { object: unknown; url: string };
        expect(parsed).toEqual({ ...(JSON.parse(text) as object), url });
      }),
    );
  });

  it('of a verification holds the challenge and the webhook', () => {
    expect(JSON.parse(confirmationBody('c1', 'w1').toString())).toEqual({
      kind: 'webhook.confirmation',
      challenge: 'c1',
      webhook: 'w1',
    });
  });
});

describe('the headers of a delivery', () => {
  it('say what it is, how often it was tried, and when it was signed', () => {
    const message = {
      type: 'WebhookMessage',
      id: 'abc',
      body: Buffer.from('{}'),
      retries: 3,
      version: '2019-09-18',
    } as const;
    expect(messageHeaders(message, keys, now)).toMatchObject({
      'content-type': 'application/json',
      'X-Service-Webhook-Type': 'WebhookMessage',
      'X-Service-Webhook-Retries': '3',
      'X-Service-Event-Retries': '3',
      'webhook-id': 'abc',
      'webhook-timestamp': '1706659200',
    });
  });

  it.each([
    ['2019-02-01', true],
    ['2019-08-14', true],
    ['2019-08-15', false],
    ['2019-09-18', false],
  ])('of a webhook made for %s carry the old names too: %s', (version, old) => {
    expect(names(version).includes('X-Service-Event-Signature')).toBe(old);
    expect(names(version).includes('X-Service-Event-Type')).toBe(old);
  });

  it('carry the same values under the old names', () => {
    const message = {
      type: 'WebhookConfirmation',
      id: 'c',
      body: Buffer.from('{}'),
      retries: 0,
      version: '2019-02-01',
    } as const;
    const headers = messageHeaders(message, keys, now);
    expect(headers['X-Service-Event-Signature']).toBe(headers['X-Service-Webhook-Signature']);
    expect(headers['X-Service-Event-Type']).toBe('WebhookConfirmation');
  });
});
