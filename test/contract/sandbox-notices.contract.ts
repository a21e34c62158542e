import Stripe from 'stripe';
import { eventually } from '@commerce/testing';
import { noticeReceiver, refusalOf, sandboxInProcess, savedCard } from './sandbox-harness.js';

const SECRET = 'whsec_sandboxtest';

/** A sandbox that notifies a receiver, which refuses the first `refusals` notices. */
async function told(refusals = 0, types = ['*'], retryDelays = [20, 40, 80]) {
  const receiver = await noticeReceiver((count) => (count <= refusals ? 503 : 200));
  const notices = { url: receiver.url, secret: SECRET, retryDelays, types };
  const sandbox = await sandboxInProcess({ notices });
  const pay = async (name: string) => {
    const card = await savedCard(sandbox, name);
    return sandbox.stripe.paymentIntents.create({ amount: 800, currency: 'eur', ...card, confirm: true });
  };
  const close = async () => {
    await sandbox.close();
    await receiver.close();
  };
  return { ...sandbox, receiver, pay, close };
}

describe('notices', () => {
  it('are signed so that the SDK accepts them, and show the record as it was', async () => {
    const { receiver, pay, stripe, close } = await told();
    const intent = await pay('pm_card_visa');
    await eventually(() => receiver.types().includes('payment_intent.succeeded'));
    for (const { body, signature } of receiver.received) {
      expect(stripe.webhooks.constructEvent(body, signature, SECRET).object).toBe('event');
      expect(() => stripe.webhooks.constructEvent(`${body} `, signature, SECRET)).toThrow();
      expect(() => stripe.webhooks.constructEvent(body, signature, 'whsec_other')).toThrow();
    }
    const byType = (type: string) => receiver.received.find(({ event }) => event.type === type)?.event;
    expect(byType('payment_intent.created').data.object).toMatchObject({
      id: intent.id,
      status: 'requires_confirmation',
    });
    expect(byType('payment_intent.succeeded')).toMatchObject({
      api_version: '2026-10-28.endive',
      data: { object: { id: intent.id, object: 'payment_intent', status: 'succeeded' } },
    });
    expect(receiver.types().sort()).toEqual([
      'charge.succeeded',
      'customer.created',
      'payment_intent.created',
      'payment_intent.succeeded',
      'payment_method.attached',
      'setup_intent.created',
      'setup_intent.succeeded',
    ]);
    await close();
  });

  it('report refusals, authentication requests, refunds and cancellations', async () => {
    const { receiver, pay, stripe, close } = await told(0, [
      'payment_intent.*',
      'refund.*',
      'charge.refunded',
    ]);
    await refusalOf(pay('pm_card_chargeDeclined'));
    const asked = await pay('pm_card_authenticationRequired');
    await stripe.paymentIntents.cancel(asked.id);
    const paid = await pay('pm_card_pendingRefund');
    await stripe.refunds.create({ payment_intent: paid.id });
    const wanted = [
      'payment_intent.payment_failed',
      'payment_intent.requires_action',
      'payment_intent.canceled',
      'charge.refunded',
      'refund.created',
      'refund.updated',
    ];
    await eventually(() => wanted.every((type) => receiver.types().includes(type)));
    expect(
      receiver.types().filter((type) => /^(customer|setup_intent|charge\.succeeded)/.test(type)),
    ).toEqual([]);
    await close();
  });

  it('are sent again while the receiver is unreachable, each with the same id', async () => {
    const { receiver, pay, close } = await told(4, ['payment_intent.succeeded']);
    await pay('pm_card_visa');
    await pay('pm_card_visa');
    await eventually(() => receiver.received.length === 2);
    expect(receiver.attempts()).toBe(6);
    expect(new Set(receiver.received.map(({ event }) => event.id)).size).toBe(2);
    await close();
  });

  it('are abandoned after the last wait', async () => {
    const { receiver, pay, close } = await told(1_000, ['payment_intent.succeeded'], [5, 5]);
    await pay('pm_card_visa');
    await eventually(() => receiver.attempts() === 3);
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(receiver.attempts()).toBe(3);
    await close();
  });

  it('arrive five times with one id for pm_card_fault_duplicate_notice', async () => {
    const { receiver, pay, close } = await told(0, ['payment_intent.succeeded']);
    await pay('pm_card_fault_duplicate_notice');
    await eventually(() => receiver.received.length === 5);
    expect(new Set(receiver.received.map(({ event }) => event.id)).size).toBe(1);
    await close();
  });

  it('contradict the truth for pm_card_fault_stale_failure_notice', async () => {
    const { receiver, pay, stripe, close } = await told(0, [
      'payment_intent.succeeded',
      'payment_intent.payment_failed',
    ]);
    const { id } = await pay('pm_card_fault_stale_failure_notice');
    await eventually(() => receiver.received.length === 2);
    expect(receiver.types()).toEqual(['payment_intent.succeeded', 'payment_intent.payment_failed']);
    expect(receiver.received[1]!.event.data.object).toMatchObject({ id, status: 'requires_payment_method' });
    expect((await stripe.paymentIntents.retrieve(id)).status).toBe('succeeded');
    await close();
  });

  it('get lost for pm_card_fault_lost_notice', async () => {
    const { receiver, pay, close } = await told(0, ['payment_intent.succeeded']);
    await pay('pm_card_fault_lost_notice');
    const { id } = await pay('pm_card_visa');
    await eventually(() => receiver.received.length > 0);
    expect(receiver.received.map(({ event }) => event.data.object.id)).toEqual([id]);
    await close();
  });
});

describe('GET /v1/events', () => {
  it('lists past events, newest first, by type', async () => {
    const { stripe, pay, close } = await told(0, []);
    const intent = await pay('pm_card_visa');
    const { data } = await stripe.events.list({ type: 'payment_intent.*' });
    expect(data.map(({ type }) => type)).toEqual(['payment_intent.succeeded', 'payment_intent.created']);
    const event = await stripe.events.retrieve(data[0]!.id);
    expect((event.data.object as Stripe.PaymentIntent).id).toBe(intent.id);
    const older = await stripe.events.list({ type: 'payment_intent.*', starting_after: data[0]!.id });
    expect(older.data.map(({ id }) => id)).toEqual([data[1]!.id]);
    await close();
  });
});
