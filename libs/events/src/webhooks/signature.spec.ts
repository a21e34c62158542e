import { createHmac } from 'node:crypto';

import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';

import { messageHeaders, type Message } from './message.js';
import { signingKey, signingSecret } from './signature.js';

const OLD = 'a'.repeat(64);
const NEW = '0123456789abcdef'.repeat(4);
const NOW = new Date();

function headersOf(
  message: Partial<Message> & { body: Uint8Array },
  previous: string | null = null,
): Record<string, string> {
  const keys = { current: signingKey(NEW), previous: previous === null ? null : signingKey(previous) };
  const whole: Message = { type: 'WebhookMessage', id: 'e1', retries: 0, version: '2019-09-18', ...message };
  return messageHeaders(whole, keys, NOW);
}

function verifies(secret: string, body: string, headers: Record<string, string>): boolean {
  try {
    new Webhook(signingSecret(secret)).verify(body, headers);
    return true;
  } catch {
    return false;
  }
}

describe('the signature of a delivery', () => {
  it("is the hex HMAC-SHA256 of the body's bytes, keyed with the secret's text", () => {
    const body = Buffer.from('{"name":"Grüße ✓"}');
    const expected = createHmac('sha256', NEW).update(body).digest('hex');
    expect(headersOf({ body })['X-Service-Webhook-Signature']).toBe(expected);
  });

  it('is understood by libraries of the Standard Webhooks', () => {
    fc.assert(
      fc.property(fc.json(), (json) => {
        const headers = headersOf({ body: Buffer.from(json) });
        expect(verifies(NEW, json, headers)).toBe(true);
        expect(verifies(NEW, `${json} `, headers)).toBe(false);
        expect(verifies(OLD, json, headers)).toBe(false);
        expect(verifies(NEW, json, { ...headers, 'webhook-id': 'e2' })).toBe(false);
      }),
    );
  });

  it('verifies by either secret while one replaces the other, and by the new one in the plain header', () => {
    const body = Buffer.from('{}');
    const headers = headersOf({ body }, OLD);
    expect(verifies(NEW, '{}', headers)).toBe(true);
    expect(verifies(OLD, '{}', headers)).toBe(true);
    expect(headers['webhook-signature']?.split(' ')).toHaveLength(2);
    expect(headers['X-Service-Webhook-Signature']).toBe(createHmac('sha256', NEW).update('{}').digest('hex'));
  });

  it('shows the secret as whsec_ and the base64 of its text', () => {
    expect(signingSecret(NEW)).toBe(`whsec_${Buffer.from(NEW).toString('base64')}`);
  });
});
