import { PaymentsBench } from './stripe-harness.js';

let bench: PaymentsBench;

beforeAll(async () => {
  bench = await PaymentsBench.start();
});
afterAll(() => bench.stop());

describe('a charge', () => {
  it('collects with a good card, once, and sends its event', async () => {
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

  it('happens once for concurrent requests', async () => {
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

  it('exists once for one period', async () => {
    const card = await bench.card();
    const first = await bench.opened(card);
    const same = { subscription: first.subscription, period_key: first.period_key };
    await expect(bench.opened(card, same)).rejects.toMatchObject({ code: 'payment.exists' });
    expect((await bench.opened(card, { ...same, period_key: '1' })).status).toBe('PROCESSING');
  });

  it.each([
    ['JPY', 500, 'jpy', 500],
    ['BHD', 1010, 'bhd', 1010],
    ['ISK', 500, 'isk', 50_000],
  ])("of %s is counted in the provider's units", async (currency, amount_minor, theirs, amount) => {
    const card = await bench.card();
    const paid = await bench.charged(card, { currency, amount_minor });
    expect(paid.status).toBe('SUCCEEDED');
    const intent = await bench.sandbox.stripe.paymentIntents.retrieve(paid.provider.intent_id!);
    expect(intent).toMatchObject({ currency: theirs, amount });
  });

  it('in units that the provider does not count fails immediately: half an ariary', async () => {
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
    const kinds = ['payment.created', 'payment.processing', 'payment.updated', 'payment.failed'];
    expect(await bench.kinds(failed)).toEqual(kinds);
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
