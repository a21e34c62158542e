import { PaymentsBench } from './stripe-harness.js';

let bench: PaymentsBench;

beforeAll(async () => {
  bench = await PaymentsBench.start();
});
afterAll(() => bench.stop());

const HOUR = 3_600_000;

describe('a provider that does not reply', () => {
  it.each([
    'timeout_once',
    'timeout_after_charge',
    'cut_after_charge',
    '500_once',
    '500_twice_after_charge',
    '500_after_charge',
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

  it('(429_once) has not begun: the request is sent again a second later, under the same key', async () => {
    const card = await bench.card();
    await bench.script(card, { next: '429_once' });
    const payment = await bench.charged(card);
    expect(payment).toMatchObject({ status: 'PROCESSING', attempts: [{ status: 'PROCESSING' }] });
    const wait = (payment.check_at?.getTime() ?? 0) - bench.clock.now().getTime();
    expect(wait).toBeLessThanOrEqual(1000);
    expect(await bench.checked(payment)).toMatchObject({ status: 'SUCCEEDED', check_at: null });
    expect(await bench.ledger(card)).toMatchObject({ captured: 10_000, charges: 1 });
  });

  it.each(['reset_once', 'reset_after_charge'])(
    '(%s) is called again immediately by its own library',
    async (fault) => {
      const card = await bench.card();
      await bench.script(card, { next: fault });
      expect((await bench.charged(card)).status).toBe('SUCCEEDED');
      expect(await bench.ledger(card)).toMatchObject({ captured: 10_000, charges: 1 });
    },
  );

  it('turns no unreported, refused retry into a failure', async () => {
    const card = await bench.card();
    await bench.script(card, { 'next[0]': 'insufficient_funds', 'next[1]': 'timeout_after_charge' });
    const unknown = await bench.again(await bench.charged(card), card);
    expect(unknown.status).toBe('UNKNOWN');
    expect((await bench.checked(unknown)).status).toBe('SUCCEEDED');
    expect(await bench.ledger(card)).toMatchObject({ charges: 1, declined: 1 });
  });

  it('and is unreachable: nothing is lost, and the charge is made when it is back', async () => {
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

  it('and refuses connections, five times in a row: it is sent again each time, and then charged', async () => {
    const card = await bench.card();
    await bench.line.refuse();
    let payment = await bench.charged(card);
    for (const seconds of [1, 2, 4, 8]) {
      expect(payment).toMatchObject({ status: 'PROCESSING', attempts: [{ status: 'PROCESSING' }] });
      const wait = (payment.check_at?.getTime() ?? 0) - bench.clock.now().getTime();
      expect(wait).toBeGreaterThan((seconds - 1) * 1000);
      expect(wait).toBeLessThanOrEqual(seconds * 1000);
      payment = await bench.checked(payment);
    }
    expect(payment).toMatchObject({ status: 'PROCESSING', attempts: [{ number: 1 }] });
    await bench.line.accept();
    payment = await bench.checked(payment);
    expect(payment).toMatchObject({ status: 'SUCCEEDED', attempts: [{ number: 1 }], check_at: null });
    expect(await bench.ledger(card)).toMatchObject({ captured: 10_000, charges: 1 });
  });

  it('and refuses connections for longer: the payment is unknown, and charged once when it is back', async () => {
    const card = await bench.card();
    await bench.line.refuse();
    let payment = await bench.charged(card);
    for (let check = 1; check <= 5; check += 1) {
      expect(payment.status).toBe('PROCESSING');
      payment = await bench.checked(payment);
    }
    await bench.line.accept();
    expect(payment.status).toBe('UNKNOWN');
    expect((await bench.checked(payment)).status).toBe('SUCCEEDED');
    expect(await bench.ledger(card)).toMatchObject({ captured: 10_000, charges: 1 });
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

  it('is looked up before anything is sent again once it may have forgotten the key', async () => {
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
  it('before it sends: the charge is made once by the process that finds it', async () => {
    const card = await bench.card();
    const payment = await bench.opened(card);
    expect((await bench.checked(payment)).status).toBe('SUCCEEDED');
    expect(await bench.ledger(card)).toMatchObject({ captured: 10_000, charges: 1 });
  });

  it('before it sends, without a check for two days: it is still made once', async () => {
    const card = await bench.card();
    const payment = await bench.opened(card);
    bench.clock.push(48 * HOUR);
    expect((await bench.checked(payment)).status).toBe('SUCCEEDED');
    expect(await bench.ledger(card)).toMatchObject({ captured: 10_000, charges: 1 });
  });

  it.each([0, 25 * HOUR])('after the charge, before it recorded it (found %i ms later)', async (later) => {
    const card = await bench.card();
    const payment = await bench.opened(card);
    await bench.sentFor(payment);
    bench.clock.push(later);
    expect((await bench.checked(payment)).status).toBe('SUCCEEDED');
    expect(await bench.ledger(card)).toMatchObject({ captured: 10_000, charges: 1 });
  });

  it('is not checked before its time is over', async () => {
    const payment = await bench.opened(await bench.card());
    await bench.reconciler.check(payment);
    expect((await bench.read(payment)).status).toBe('PROCESSING');
  });

  it('leaves work that several workers find at the same time: one does it', async () => {
    const card = await bench.card();
    const payment = await bench.opened(card);
    bench.clock.push(60_000);
    await Promise.all(Array.from({ length: 8 }, () => bench.reconciler.check(payment)));
    expect((await bench.read(payment)).status).toBe('SUCCEEDED');
    expect((await bench.read(payment)).attempts).toHaveLength(1);
    expect(await bench.ledger(card)).toMatchObject({ charges: 1 });
  });

  it('does not repeat the work of others after a mere sleep: the current state counts', async () => {
    const card = await bench.card();
    const payment = await bench.opened(card);
    await bench.checked(payment);
    bench.clock.push(48 * HOUR);
    expect((await bench.writer.afterCommit(payment)).status).toBe('SUCCEEDED');
    expect(await bench.ledger(card)).toMatchObject({ captured: 10_000, charges: 1 });
    const kinds = await bench.kinds(payment);
    expect(kinds.filter((kind) => kind === 'payment.succeeded')).toHaveLength(1);
  });
});
