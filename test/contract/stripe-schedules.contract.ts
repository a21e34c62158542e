import { ProviderWebhooks, isCollected, type PaymentRecord } from '@commerce/payments';
import { newId } from '@commerce/records';
import fc from 'fast-check';
import Stripe from 'stripe';

import { WEBHOOK_SECRET, PaymentsBench } from './stripe-harness.js';

/** The number of schedules; each has a seed that a failure prints. */
const SCHEDULES = Number(process.env['PAYMENT_SCHEDULES'] ?? 25);

/** Repeats the schedules of an earlier run. */
const SEED = process.env['PAYMENT_SCHEDULES_SEED'];

let bench: PaymentsBench;

beforeAll(async () => {
  bench = await PaymentsBench.start();
});
afterAll(() => bench.stop());

const charge = fc.constantFrom(
  'succeed',
  'succeed',
  'insufficient_funds',
  'lost_card',
  'authentication_required',
  'late_success',
  'late_failure',
  'reset_once',
  'reset_after_charge',
  'cut_after_charge',
  '500_once',
  '500_twice_after_charge',
  '500_after_charge',
  '429_once',
);
const refundOutcome = fc.constantFrom(
  'succeed',
  'pending',
  'cut_after_charge',
  '500_once',
  '500_after_charge',
  '429_once',
);

const step = fc.oneof(
  { weight: 3, arbitrary: fc.constant({ do: 'send' as const }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('check' as const), workers: fc.integer({ min: 1, max: 4 }) }),
  },
  { weight: 2, arbitrary: fc.constant({ do: 'retry' as const }) },
  { weight: 2, arbitrary: fc.constant({ do: 'webhook' as const }) },
  { weight: 1, arbitrary: fc.constant({ do: 'settle' as const }) },
  { weight: 1, arbitrary: fc.constant({ do: 'approve' as const }) },
  { weight: 1, arbitrary: fc.constant({ do: 'abandon' as const }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('cut' as const), cut: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('wait' as const), hours: fc.integer({ min: 1, max: 60 }) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('refund' as const), amount: fc.integer({ min: 1, max: 80 }) }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

type Card = Awaited<ReturnType<PaymentsBench['card']>>;

const due = (payment: PaymentRecord): void => {
  const at = payment.check_at?.getTime() ?? 0;
  bench.clock.push(Math.max(at - bench.clock.now().getTime(), 0) + 1);
};

async function webhook(payment: PaymentRecord): Promise<void> {
  const { data } = await bench.sandbox.stripe.paymentIntents.list({ limit: 5 });
  const id = data.find(({ metadata }) => metadata['payment'] === payment._id.toHexString())?.id ?? 'pi_none';
  const object = { object: 'payment_intent', id };
  for (const type of ['payment_intent.payment_failed', 'refund.updated']) {
    const payload = JSON.stringify({
      id: `evt_${newId().toHexString()}`,
      object: 'event',
      type,
      data: { object: { ...object } },
    });
    const timestamp = Math.floor(bench.clock.now().getTime() / 1000);
    const signature = new Stripe('sk_test_x').webhooks.generateTestHeaderString({
      payload,
      secret: WEBHOOK_SECRET,
      timestamp,
    });
    await bench.app.get(ProviderWebhooks).receive(Buffer.from(payload), signature);
  }
}

/** Accepts refusals of the service as part of a schedule; any other error fails it. */
async function allowing(codes: readonly string[], work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!codes.includes((error as { code?: string }).code ?? '')) throw error;
  }
}

async function take(one: Step, payment: PaymentRecord, card: Card): Promise<void> {
  const now = await bench.read(payment);
  switch (one.do) {
    case 'send':
      await bench.writer.afterCommit(payment);
      return;
    case 'check':
      due(now);
      await Promise.all(Array.from({ length: one.workers }, () => bench.reconciler.check(payment)));
      return;
    case 'retry':
      await allowing(['payment.state_conflict', 'record.conflict'], bench.again(payment, card));
      return;
    case 'webhook':
      await webhook(payment);
      return;
    case 'settle':
      await bench.sandbox.raw('POST', '/sandbox/settle');
      return;
    case 'approve':
      if (now.provider.intent_id !== null) {
        await bench.sandbox.raw('POST', `/authenticate/${now.provider.intent_id}`, { outcome: 'approve' });
      }
      return;
    case 'abandon':
      await allowing(['payment.state_conflict'], bench.abandoned(payment));
      return;
    case 'cut':
      if (one.cut) bench.line.cut();
      else bench.line.mend();
      return;
    case 'wait':
      bench.clock.push(one.hours * 3_600_000);
      return;
    case 'refund': {
      const body = { amount: one.amount };
      const codes = ['payment.state_conflict', 'refund.too_large'];
      await allowing(codes, bench.payments.refund(bench.admin, payment._id.toHexString(), body));
    }
  }
}

/** Repairs every fault and checks until only payments that wait for their customers are open. */
async function rested(payment: PaymentRecord, card: Card): Promise<PaymentRecord> {
  bench.line.mend();
  await bench.script(card, { from_now: '', next: '', next_refunds: '' });
  let now = await bench.read(payment);
  for (let turn = 0; now.check_at !== null && turn < 12; turn += 1) {
    await bench.sandbox.raw('POST', '/sandbox/settle');
    const before = now.status;
    now = await bench.checked(payment);
    if (before === 'REQUIRES_AUTH' && now.status === before) break;
  }
  return now;
}

describe('a payment under any schedule of faults', () => {
  it('is collected at most once, refunded at most the collected amount, and ends as the provider has it', async () => {
    const schedule = fc.record({
      charges: fc.array(charge, { minLength: 1, maxLength: 5 }),
      refunds: fc.array(refundOutcome, { maxLength: 4 }),
      steps: fc.array(step, { minLength: 4, maxLength: 14 }),
    });
    await fc.assert(
      fc.asyncProperty(schedule, async ({ charges, refunds, steps }) => {
        const card = await bench.card();
        await bench.script(card, {
          ...Object.fromEntries(charges.map((name, index) => [`next[${index}]`, name])),
          ...Object.fromEntries(refunds.map((name, index) => [`next_refunds[${index}]`, name])),
        });
        const payment = await bench.opened(card);
        for (const one of steps) await take(one, payment, card);
        const end = await rested(payment, card);
        const ledger = await bench.ledger(card);
        expect(ledger.charges).toBe(isCollected(end.status) ? 1 : 0);
        expect(Math.round(end.refunded_amount * 100)).toBe(ledger.refunded);
        expect(ledger.refunded).toBeLessThanOrEqual(ledger.captured);
        expect(['SUCCEEDED', 'FAILED', 'REQUIRES_AUTH', 'PARTIALLY_REFUNDED', 'REFUNDED']).toContain(
          end.status,
        );
        const kinds = await bench.kinds(payment);
        expect(kinds.filter((kind) => kind === 'payment.succeeded')).toHaveLength(ledger.charges);
        const sequence = (await bench.events(payment)).map((event) => event.sequence);
        expect(sequence).toEqual(sequence.map((_, index) => index + 1));
      }),
      {
        numRuns: SCHEDULES,
        endOnFailure: true,
        ...(SEED === undefined ? {} : { seed: Number(SEED) }),
      },
    );
  }, 600_000);
});
