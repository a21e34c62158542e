import { ProviderWebhooks, type PaymentRecord } from '@commerce/payments';
import { newId } from '@commerce/records';
import Stripe from 'stripe';

import { WEBHOOK_SECRET, PaymentsBench } from './stripe-harness.js';

let bench: PaymentsBench;
let count = 0;

beforeAll(async () => {
  bench = await PaymentsBench.start();
});
afterAll(() => bench.stop());

const seconds = (offset = 0): number => Math.floor(bench.clock.now().getTime() / 1000) + offset;

interface Webhook {
  readonly type: string;
  readonly object: object;
  readonly id?: string;
}

const bytes = ({ type, object, id = `evt_${(count += 1)}_${newId().toHexString()}` }: Webhook): string =>
  JSON.stringify({ id, object: 'event', type, data: { object } }, null, 2);

const signed = (payload: string, timestamp = seconds(), secret = WEBHOOK_SECRET): string =>
  new Stripe('sk_test_x').webhooks.generateTestHeaderString({ payload, timestamp, secret });

const receive = (payload: string, signature = signed(payload)): Promise<void> =>
  bench.app.get(ProviderWebhooks).receive(Buffer.from(payload), signature);

const about = (payment: PaymentRecord, type: string, id?: string): Webhook => ({
  type,
  id,
  object: { object: 'payment_intent', id: payment.provider.intent_id, status: 'whatever it says' },
});

/** A payment whose bank decides later. */
async function pending(outcome = 'late_success'): Promise<PaymentRecord> {
  const card = await bench.card();
  await bench.script(card, { next: outcome });
  const payment = await bench.charged(card);
  expect(payment.status).toBe('PROCESSING');
  return payment;
}

describe('a webhook of the provider', () => {
  it('takes effect once, however often it comes', async () => {
    const payment = await pending();
    await bench.sandbox.raw('POST', '/sandbox/settle');
    const payload = bytes(about(payment, 'payment_intent.succeeded'));
    await Promise.all(Array.from({ length: 5 }, () => receive(payload)));
    await receive(payload);
    expect((await bench.read(payment)).status).toBe('SUCCEEDED');
    expect((await bench.kinds(payment)).filter((kind) => kind === 'payment.succeeded')).toHaveLength(1);
  });

  it('is not trusted: the provider is asked', async () => {
    const payment = await pending();
    await receive(bytes(about(payment, 'payment_intent.succeeded')));
    expect((await bench.read(payment)).status).toBe('PROCESSING');
  });

  it('that reports a failure after the success changes nothing, three days late', async () => {
    const paid = await bench.charged(await bench.card());
    bench.clock.push(3 * 24 * 3_600_000);
    await receive(bytes(about(paid, 'payment_intent.payment_failed')));
    await receive(bytes(about(paid, 'payment_intent.canceled')));
    expect((await bench.read(paid)).status).toBe('SUCCEEDED');
    expect(await bench.kinds(paid)).toHaveLength(3);
  });

  it('about other objects is accepted and ignored', async () => {
    await receive(
      bytes({ type: 'payment_intent.succeeded', object: { object: 'payment_intent', id: 'pi_unknown' } }),
    );
    const theirs = await bench.sandbox.stripe.paymentIntents.create({
      amount: 500,
      currency: 'eur',
      metadata: { company: newId().toHexString(), payment: newId().toHexString() },
    });
    await receive(
      bytes({ type: 'payment_intent.created', object: { object: 'payment_intent', id: theirs.id } }),
    );
    await receive(bytes({ type: 'customer.created', object: { object: 'customer', id: 'cus_1' } }));
  });

  it('about an intent that only poses as the one of a payment has no effect', async () => {
    const payment = await pending();
    const forged = await bench.sandbox.stripe.paymentIntents.create({
      amount: 100,
      currency: 'eur',
      payment_method: 'pm_card_visa',
      automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
      confirm: true,
      metadata: { company: bench.company.toHexString(), payment: payment._id.toHexString(), attempt: '1' },
    });
    expect(forged.status).toBe('succeeded');
    await receive(
      bytes({ type: 'payment_intent.succeeded', object: { object: 'payment_intent', id: forged.id } }),
    );
    expect((await bench.read(payment)).status).toBe('PROCESSING');
  });

  it('that came while the provider was unreachable has its effect later', async () => {
    const payment = await pending();
    await bench.sandbox.raw('POST', '/sandbox/settle');
    const payload = bytes(about(payment, 'payment_intent.succeeded'));
    bench.line.cut();
    await receive(payload);
    await receive(payload);
    bench.line.mend();
    expect((await bench.read(payment)).status).toBe('PROCESSING');
    bench.clock.push(120_000);
    await bench.app.get(ProviderWebhooks).sweep();
    expect((await bench.read(payment)).status).toBe('SUCCEEDED');
  });

  it('imports refunds and disputes that were made at the provider', async () => {
    const card = await bench.card();
    const paid = await bench.charged(card);
    const refund = await bench.sandbox.stripe.refunds.create({
      payment_intent: paid.provider.intent_id!,
      amount: 2500,
    });
    await receive(bytes({ type: 'refund.created', object: refund }));
    expect(await bench.read(paid)).toMatchObject({ status: 'PARTIALLY_REFUNDED', refunded_amount: 25 });

    const disputed = await bench.charged(await bench.card('pm_card_createDispute'));
    await bench.sandbox.raw('POST', '/sandbox/settle');
    const { data } = await bench.sandbox.stripe.disputes.list({
      payment_intent: disputed.provider.intent_id!,
    });
    await receive(bytes({ type: 'charge.dispute.created', object: data[0]! }));
    expect((await bench.read(disputed)).status).toBe('DISPUTED');
    await expect(
      bench.payments.refund(bench.admin, disputed._id.toHexString(), { amount: 1 }),
    ).rejects.toMatchObject({ code: 'payment.state_conflict' });
    await bench.sandbox.stripe.disputes.update(data[0]!.id, {
      evidence: { uncategorized_text: 'winning_evidence' },
      submit: true,
    });
    await bench.sandbox.raw('POST', '/sandbox/settle');
    await receive(bytes({ type: 'charge.dispute.closed', object: data[0]! }));
    expect((await bench.read(disputed)).status).toBe('SUCCEEDED');
  });
});

describe('the signature of a webhook', () => {
  const invalid = { code: 'notice.invalid' };
  const payload = bytes({ type: 'customer.created', object: { object: 'customer', id: 'cus_1' } });

  it('must be there and by the secret', async () => {
    await expect(receive(payload, '')).rejects.toMatchObject(invalid);
    await expect(receive(payload, 'nonsense')).rejects.toMatchObject(invalid);
    await expect(receive(payload, signed(payload, seconds(), 'whsec_another'))).rejects.toMatchObject(
      invalid,
    );
  });

  it('must not be older than 300 seconds, nor of the future', async () => {
    await expect(receive(payload, signed(payload, seconds(-302)))).rejects.toMatchObject(invalid);
    await expect(receive(payload, signed(payload, seconds(302)))).rejects.toMatchObject(invalid);
    await receive(payload, signed(payload, seconds(-290)));
    await receive(payload, signed(payload, seconds(290)));
  });

  it('covers the bytes, not their meaning', async () => {
    const written = JSON.stringify(JSON.parse(payload));
    expect(written).not.toBe(payload);
    await expect(receive(written, signed(payload))).rejects.toMatchObject(invalid);
  });

  it('must be of version 1, any one of several', async () => {
    const right = signed(payload);
    await expect(receive(payload, right.replace('v1=', 'v0='))).rejects.toMatchObject(invalid);
    const [time, v1] = right.split(',') as [string, string];
    await receive(payload, `${time},v1=${'0'.repeat(64)},${v1}`);
  });
});
