import { createHmac } from 'node:crypto';

/** The header Stripe-Signature over the exact payload; `at` in seconds. */
export function signatureHeader(payload: string, secret: string, at: number): string {
  const signature = createHmac('sha256', secret).update(`${at}.${payload}`).digest('hex');
  return `t=${at},v1=${signature}`;
}
