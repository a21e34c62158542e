import { isFault } from '@commerce/kernel';
import type { PaymentRecord } from '@commerce/payments';

import { PaymentsBench } from './stripe-harness.js';

let bench: PaymentsBench;

beforeAll(async () => {
  bench = await PaymentsBench.start();
});
afterAll(() => bench.stop());

/** A payment that waits for its customer to authenticate, and the call by which the customer confirms it. */
async function waiting(): Promise<{ payment: PaymentRecord; confirm: () => Promise<PaymentRecord> }> {
  const user = await bench.user();
  const payment = await bench.charged(await bench.card('pm_card_authenticationRequired', user));
  const id = payment._id.toHexString();
  const body = {
    payment_intent_id: payment.provider.intent_id!,
    payment_client_secret: payment.client_secret!,
  };
  return { payment, confirm: () => bench.payments.confirm(bench.as(user), id, body) };
}

/** The number of provider requests for the intent of a payment. */
function asked({ provider }: PaymentRecord): number {
  const question = `GET /v1/payment_intents/${provider.intent_id!}`;
  return bench.line.requests.filter((request) => request === question).length;
}

async function approve({ provider }: PaymentRecord): Promise<void> {
  await bench.sandbox.raw('POST', `/authenticate/${provider.intent_id!}`, { outcome: 'approve' });
}

describe('Confirmations of one payment', () => {
  it('at the same time share a request to the provider', async () => {
    const { payment, confirm } = await waiting();
    const answers = await Promise.all(Array.from({ length: 25 }, confirm));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set(['REQUIRES_AUTH']));
    // Calls that arrive while the first request is in flight share the next one.
    expect(asked(payment)).toBeLessThanOrEqual(2);
  });

  it('never get a reply to an earlier request: a fresh authentication shows', async () => {
    const { payment, confirm } = await waiting();
    const first = confirm();
    await approve(payment);
    const answers = await Promise.all([confirm(), confirm()]);
    expect(answers.map(({ status }) => status)).toEqual(['SUCCEEDED', 'SUCCEEDED']);
    await first;
    expect(asked(payment)).toBeLessThanOrEqual(2);
  });

  it('one after another come to at most one request a second', async () => {
    const { payment, confirm } = await waiting();
    const began = performance.now();
    for (let index = 0; index < 3; index += 1) await confirm();
    expect(asked(payment)).toBe(3);
    expect(performance.now() - began).toBeGreaterThan(1990);
  });

  it('of one customer are limited, whichever payments they concern; those of another are not', async () => {
    const { confirm } = await waiting();
    const began = performance.now();
    const answers = await Promise.allSettled(Array.from({ length: 90 }, confirm));
    const seconds = (performance.now() - began) / 1000;
    const limited = answers.filter((one) => one.status === 'rejected' && isFault(one.reason, 'rate.limited'));
    // A burst of 30, and one more every two seconds; twice that when Redis was slow and the process counted by itself.
    expect(answers.length - limited.length).toBeGreaterThanOrEqual(30);
    expect(answers.length - limited.length).toBeLessThanOrEqual(62 + seconds);
    const another = await waiting();
    expect((await another.confirm()).status).toBe('REQUIRES_AUTH');
  });
});
