import { PaymentsBench } from './stripe-harness.js';

let bench: PaymentsBench;

beforeAll(async () => {
  bench = await PaymentsBench.start();
});
afterAll(() => bench.stop());

const HOUR = 3_600_000;

describe('a charge', () => {
  it('collects with a good card, once, and tells of it', async () => {
    const card = await bench.card();
    const paid = await bench.charged(card);
    expect(paid).toMatchObject({
      status: 'SUCCEEDED',
      provider: {
        name: 'stripe',
        intent_id: expect.stringMatching(/^pi_/),
        charge_id: expect.stringMatching(/^ch_/),
      },
      attempts: [{ number: 1, status: 'SUCCEEDED' }],
      check_at: null,
    });
    expect(await bench.ledger(card)).toMatchObject({ captured: 10_000, charges: 1 });
    expect(await bench.kinds(paid)).toEqual(['payment.created', 'payment.processing', 'payment.succeeded']);
  });

  it('happens once however many send it at the same time', async () => {
    const card = await bench.card();
    const payment = await bench.opened(card);
    await Promise.all(Array.from({ length: 10 }, () => bench.writer.afterCommit(payment)));
    let now = await bench.read(payment);
    if (now.status !== 'SUCCEEDED') now = await bench.checked(payment);
    expect(now.status).toBe('SUCCEEDED');
    expect(await bench.ledger(card)).toMatchObject({ captured: 10_000, charges: 1 });
    expect((await bench.kinds(payment)).filter((kind) => kind === 'payment.succeeded')).toHaveLength(1);
  });

  it('of nothing needs no provider', async () => {
    const free = await bench.opened(await bench.card(), { amount_minor: 0 });
    expect(free).toMatchObject({ status: 'SUCCEEDED', attempts: [], check_at: null });
    expect(await bench.kinds(free)).toEqual(['payment.created', 'payment.succeeded']);
  });

  it('fails without a usable payment method, and can be tried with one later', async () => {
    const card = await bench.card();
    const stranger = await bench.card();
    const failed = await bench.opened(card, { payment_method: stranger._id });
    expect(failed).toMatchObject({
      status: 'FAILED',
      attempts: [{ code: 'payment_method.missing', decline: 'hard' }],
      check_at: null,
    });
    expect(await bench.again(failed, card)).toMatchObject({
      status: 'SUCCEEDED',
      attempts: [{ status: 'FAILED' }, { number: 2, status: 'SUCCEEDED' }],
    });
    expect(await bench.ledger(card)).toMatchObject({ charges: 1 });
  });

  it('is there once for one slice', async () => {
    const card = await bench.card();
    const first = await bench.opened(card);
    const same = { subscription: first.subscription, slice: first.slice };
    await expect(bench.opened(card, same)).rejects.toMatchObject({ code: 'payment.exists' });
    expect((await bench.opened(card, { ...same, slice: '1' })).status).toBe('PROCESSING');
  });

  it.each([
    ['JPY', 500, 'jpy', 500],
    ['BHD', 1010, 'bhd', 1010],
    ['ISK', 500, 'isk', 50_000],
  ])('of %s is counted as the provider counts', async (currency, amount_minor, theirs, amount) => {
    const card = await bench.card();
    const paid = await bench.charged(card, { currency, amount_minor });
    expect(paid.status).toBe('SUCCEEDED');
    const intent = await bench.sandbox.stripe.paymentIntents.retrieve(paid.provider.intent_id!);
    expect(intent).toMatchObject({ currency: theirs, amount });
  });

  it('that the provider does not count fails at once: half an ariary', async () => {
    const failed = await bench.charged(await bench.card(), { currency: 'MGA', amount_minor: 50 });
    expect(failed).toMatchObject({
      status: 'FAILED',
      attempts: [{ code: 'amount.not_chargeable', decline: 'hard' }],
      check_at: null,
    });
  });
});

describe('a refusal of the card', () => {
  it.each([
    ['pm_card_chargeDeclinedInsufficientFunds', 'insufficient_funds', 'soft'],
    ['pm_card_chargeDeclined', 'generic_decline', 'soft'],
    ['pm_card_chargeDeclinedLostCard', 'lost_card', 'hard'],
    ['pm_card_chargeDeclinedStolenCard', 'stolen_card', 'hard'],
  ])('%s fails as %s, %s', async (name, code, decline) => {
    const card = await bench.card(name);
    const failed = await bench.charged(card);
    expect(failed).toMatchObject({
      status: 'FAILED',
      attempts: [{ status: 'FAILED', code, decline }],
      check_at: null,
    });
    expect(await bench.kinds(failed)).toEqual(['payment.created', 'payment.processing', 'payment.updated']);
    expect(await bench.ledger(card)).toMatchObject({ charges: 0 });
  });

  it('is retried on the same intent', async () => {
    const card = await bench.card();
    await bench.script(card, {
      'next[0]': 'insufficient_funds',
      'next[1]': 'insufficient_funds',
      'next[2]': 'succeed',
    });
    const first = await bench.charged(card);
    const second = await bench.again(first, card);
    const third = await bench.again(second, card);
    expect(third.attempts.map(({ number, status }) => [number, status])).toEqual([
      [1, 'FAILED'],
      [2, 'FAILED'],
      [3, 'SUCCEEDED'],
    ]);
    expect(third.provider.intent_id).toBe(first.provider.intent_id);
    expect(await bench.ledger(card)).toMatchObject({ charges: 1, declined: 2 });
  });
});

describe('a card that will never do', () => {
  it('is replaced by another on the same intent', async () => {
    const lost = await bench.card('pm_card_chargeDeclinedLostCard');
    const failed = await bench.charged(lost);
    const good = await bench.card('pm_card_visa', { _id: lost.user, company: bench.company } as never);
    const paid = await bench.again(failed, good);
    expect(paid).toMatchObject({
      status: 'SUCCEEDED',
      payment_method: good._id,
      metadata: { payment_intent_id: failed.provider.intent_id, payment_method_id: good.payment_method_id },
    });
    expect(await bench.ledger(good)).toMatchObject({ charges: 1, declined: 1 });
  });
});

describe('a provider that does not answer', () => {
  it.each([
    'timeout_once',
    'timeout_after_charge',
    'cut_after_charge',
    '500_once',
    '500_twice_after_charge',
    '500_after_charge',
    '429_once',
  ])('(%s) leaves the payment unknown, and it is charged once', async (fault) => {
    const card = await bench.card();
    await bench.script(card, { next: fault });
    let payment = await bench.charged(card);
    expect(payment).toMatchObject({
      status: 'UNKNOWN',
      attempts: [{ status: 'UNKNOWN', code: 'provider.no_answer' }],
    });
    for (let check = 1; check <= 4 && payment.status === 'UNKNOWN'; check += 1) {
      payment = await bench.checked(payment);
    }
    expect(payment).toMatchObject({
      status: 'SUCCEEDED',
      attempts: [{ number: 1, status: 'SUCCEEDED' }],
      check_at: null,
    });
    expect(await bench.ledger(card)).toMatchObject({ captured: 10_000, charges: 1 });
  });

  it.each(['reset_once', 'reset_after_charge'])(
    '(%s) is asked again at once by its own library',
    async (fault) => {
      const card = await bench.card();
      await bench.script(card, { next: fault });
      expect((await bench.charged(card)).status).toBe('SUCCEEDED');
      expect(await bench.ledger(card)).toMatchObject({ captured: 10_000, charges: 1 });
    },
  );

  it('does not make a failure of a refused retry that it did not tell of', async () => {
    const card = await bench.card();
    await bench.script(card, { 'next[0]': 'insufficient_funds', 'next[1]': 'timeout_after_charge' });
    const unknown = await bench.again(await bench.charged(card), card);
    expect(unknown.status).toBe('UNKNOWN');
    expect((await bench.checked(unknown)).status).toBe('SUCCEEDED');
    expect(await bench.ledger(card)).toMatchObject({ charges: 1, declined: 1 });
  });

  it('and is away altogether: nothing is lost, and it is charged when it is back', async () => {
    const card = await bench.card();
    bench.line.cut();
    let payment = await bench.charged(card);
    for (let check = 1; check <= 7; check += 1) {
      expect(payment.status).toBe('UNKNOWN');
      payment = await bench.checked(payment);
    }
    bench.line.mend();
    expect(payment.status).toBe('UNKNOWN');
    expect(payment.checks).toBe(8);
    payment = await bench.checked(payment);
    expect(payment).toMatchObject({ status: 'FAILED', attempts: [{ code: 'provider.not_received' }] });
    expect((await bench.again(payment, card)).status).toBe('SUCCEEDED');
    expect(await bench.ledger(card)).toMatchObject({ charges: 1 });
  });

  it('for a while: the charge is made when it is back', async () => {
    const card = await bench.card();
    bench.line.cut();
    const payment = await bench.checked(await bench.charged(card));
    bench.line.mend();
    expect(payment.status).toBe('UNKNOWN');
    expect((await bench.checked(payment)).status).toBe('SUCCEEDED');
    expect(await bench.ledger(card)).toMatchObject({ charges: 1 });
  });

  it('is asked before anything is sent again once it may have forgotten the key', async () => {
    const card = await bench.card();
    await bench.script(card, { next: 'timeout_after_charge' });
    const unknown = await bench.charged(card);
    expect(unknown.status).toBe('UNKNOWN');
    bench.clock.push(25 * HOUR);
    expect((await bench.checked(unknown)).status).toBe('SUCCEEDED');
    expect(await bench.ledger(card)).toMatchObject({ captured: 10_000, charges: 1 });
  });

  it('which never got the charge: after a day it has failed, and the next attempt collects', async () => {
    const card = await bench.card();
    await bench.script(card, { next: 'timeout_once' });
    let payment = await bench.charged(card);
    expect(payment.status).toBe('UNKNOWN');
    bench.clock.push(25 * HOUR);
    payment = await bench.checked(payment);
    expect(payment).toMatchObject({
      status: 'FAILED',
      attempts: [{ code: 'provider.not_received', decline: 'soft' }],
    });
    expect((await bench.again(payment, card)).status).toBe('SUCCEEDED');
    expect(await bench.ledger(card)).toMatchObject({ charges: 1 });
  });
});

describe('a process that dies', () => {
  it('before it sends: the charge is made once by whoever finds it', async () => {
    const card = await bench.card();
    const payment = await bench.opened(card);
    expect((await bench.checked(payment)).status).toBe('SUCCEEDED');
    expect(await bench.ledger(card)).toMatchObject({ captured: 10_000, charges: 1 });
  });

  it('before it sends, and nobody looks for two days: it is made once all the same', async () => {
    const card = await bench.card();
    const payment = await bench.opened(card);
    bench.clock.push(48 * HOUR);
    expect((await bench.checked(payment)).status).toBe('SUCCEEDED');
    expect(await bench.ledger(card)).toMatchObject({ captured: 10_000, charges: 1 });
  });

  it.each([0, 25 * HOUR])('after the charge, before it wrote it down (found %i ms later)', async (later) => {
    const card = await bench.card();
    const payment = await bench.opened(card);
    // What the dead process had sent.
    const { request } = payment;
    await bench.sandbox.stripe.paymentIntents.create(
      {
        amount: 10_000,
        currency: 'eur',
        customer: request!.customer_id,
        payment_method: request!.method_id,
        automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
        confirm: true,
        off_session: true,
        metadata: { company: bench.company.toHexString(), payment: payment._id.toHexString(), attempt: '1' },
      },
      { idempotencyKey: `pay-${payment._id.toHexString()}` },
    );
    bench.clock.push(later);
    expect((await bench.checked(payment)).status).toBe('SUCCEEDED');
    expect(await bench.ledger(card)).toMatchObject({ captured: 10_000, charges: 1 });
  });

  it('is not looked after while its time is not over', async () => {
    const payment = await bench.opened(await bench.card());
    await bench.reconciler.check(payment._id);
    expect((await bench.read(payment)).status).toBe('PROCESSING');
  });

  it('leaves work that several workers find at once: one does it', async () => {
    const card = await bench.card();
    const payment = await bench.opened(card);
    bench.clock.push(60_000);
    await Promise.all(Array.from({ length: 8 }, () => bench.reconciler.check(payment._id)));
    expect((await bench.read(payment)).status).toBe('SUCCEEDED');
    expect((await bench.read(payment)).attempts).toHaveLength(1);
    expect(await bench.ledger(card)).toMatchObject({ charges: 1 });
  });
});

describe('a charge that the bank decides on later', () => {
  it.each([
    ['late_success', 'SUCCEEDED'],
    ['late_failure', 'FAILED'],
  ])('%s ends as %s', async (outcome, status) => {
    const card = await bench.card();
    await bench.script(card, { next: outcome });
    const open = await bench.charged(card);
    expect(open).toMatchObject({ status: 'PROCESSING', attempts: [{ status: 'PROCESSING' }] });
    await bench.sandbox.raw('POST', '/sandbox/settle');
    expect((await bench.checked(open)).status).toBe(status);
  });
});
