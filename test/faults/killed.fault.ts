import { eventually, idIn } from '@commerce/testing';

import { ServiceProcesses } from '../processes.js';

let service: ServiceProcesses;
beforeAll(async () => {
  service = await ServiceProcesses.start();
}, 90_000);
afterAll(async () => {
  await service.stop();
});

const MONTHLY = {
  name: 'Monthly',
  interval_unit: 'MONTH',
  billing_interval: 'MONTH',
  currency: 'EUR',
  prepay: true,
};

async function subscribe(card: string, amount: number): Promise<string> {
  const plan = idIn(await service.admin.made('/plans', { ...MONTHLY, total_amount: amount }));
  const { user, method } = await service.cardholder(card);
  return idIn(
    await service.admin.made('/subscriptions', { plan, user, payment_method: method, start_now: true }),
  );
}

async function paymentsOf(subscription: string): Promise<any[]> {
  return service.admin.read(`/subscriptions/${subscription}/payments`);
}

describe('A worker that is killed', () => {
  it('between the charge and the commit leaves one charge and one payment', async () => {
    const receiver = await service.listening('payment.created', 'payment.processing', 'payment.succeeded');
    // The provider charges this card but never replies, so the worker dies without the result of the charge.
    const subscription = await subscribe('pm_card_fault_timeout_after_charge', 31.07);
    await eventually(
      () => service.providerCharges(),
      (charges) => charges.some((charge) => charge.amount === 3107),
    );
    await service.kill('worker');
    expect((await paymentsOf(subscription)).map((payment) => payment.status)).toEqual(['PROCESSING']);

    await service.run('worker');
    const payments = await eventually(
      () => paymentsOf(subscription),
      (all) => all.some((payment) => payment.status === 'SUCCEEDED'),
      60_000,
    );
    expect(payments).toHaveLength(1);
    expect(payments[0]).toMatchObject({ status: 'SUCCEEDED', amount: 31.07 });
    expect((await service.providerCharges()).filter((charge) => charge.amount === 3107)).toHaveLength(1);
    const heard = (kind: string): boolean => receiver.messages.some(({ json }) => json.kind === kind);
    // A relay that died in its transaction keeps the log locked until the database aborts that transaction.
    await receiver.until(
      () => ['payment.created', 'payment.processing', 'payment.succeeded'].every(heard),
      90_000,
    );
    expect(new Set(receiver.messages.map((one) => one.json.id)).size).toBe(3);
  }, 240_000);

  it('again and again while it bills charges each period once', async () => {
    const plan = idIn(await service.admin.made('/plans', { ...MONTHLY, total_amount: 5.01 }));
    const { user, method } = await service.cardholder('pm_card_visa');
    const subscriptions: string[] = [];
    for (let index = 0; index < 15; index += 1) {
      const made = await service.admin.made('/subscriptions', {
        plan,
        user,
        payment_method: method,
        start_now: true,
      });
      subscriptions.push(idIn(made));
      if (index % 5 === 4) {
        await service.kill('worker');
        await service.run('worker');
      }
    }
    for (const subscription of subscriptions) {
      const payments = await eventually(
        () => paymentsOf(subscription),
        (all) => all.length > 0 && all.every((payment) => payment.status === 'SUCCEEDED'),
        60_000,
      );
      expect(payments).toHaveLength(1);
    }
    expect((await service.providerCharges()).filter((charge) => charge.amount === 501)).toHaveLength(15);
  }, 180_000);
});

describe('An API that is killed', () => {
  it('after the commit loses no event, and sends none of an uncommitted change', async () => {
    const receiver = await service.listening('user.created');
    const inFlight = Array.from({ length: 120 }, (_, index) =>
      service.admin.post('/users', { name: 'Killed', external_reference: `k-${String(index)}` }).then(
        (response) => (response.status === 200 ? idIn(response.body) : null),
        () => null,
      ),
    );
    await eventually(
      () => service.database.collection('users').countDocuments({ name: 'Killed' }),
      (count) => count >= 10,
    );
    await service.kill('api');
    const answered = (await Promise.all(inFlight)).filter((id) => id !== null);
    await service.run('api');

    const stored = await service.database.collection('users').find({ name: 'Killed' }).toArray();
    const ids = new Set(stored.map((user) => user._id.toHexString()));
    expect(answered.every((id) => ids.has(id))).toBe(true);
    await receiver.until(
      () => new Set(receiver.messages.map((one) => one.json.object._id)).size >= ids.size,
      30_000,
    );
    expect(new Set(receiver.messages.map((one) => String(one.json.object._id)))).toEqual(ids);
    expect(new Set(receiver.messages.map((one) => one.json.id)).size).toBe(ids.size);
  }, 120_000);
});

describe('Requests under Idempotency-Keys, when the API is killed', () => {
  it('take effect once when they are repeated', async () => {
    const names = Array.from({ length: 60 }, (_, index) => `keyed-${String(index)}`);
    const post = (name: string): Promise<{ status: number; body: any }> =>
      service.admin.with({ 'Idempotency-Key': name }).post('/users', { name, external_reference: 'keyed' });
    const stored = (): Promise<number> =>
      service.database.collection('users').countDocuments({ external_reference: 'keyed' });
    const inFlight = names.map((name) => post(name).catch(() => null));
    await eventually(stored, (count) => count >= 5);
    await service.kill('api');
    await Promise.all(inFlight);
    await service.run('api');
    for (const name of names) {
      const answer = await eventually(
        // Either 503 or no reply until the connection is closed: the writes that a dead process had begun stay locked
        // until its transaction expires.
        () => post(name).catch(() => ({ status: 503, body: null })),
        (one) => ![409, 503].includes(one.status),
        90_000,
      );
      expect([answer.status, answer.body.name]).toEqual([200, name]);
    }
    expect(await stored()).toBe(names.length);
  }, 240_000);
});

describe('A Redis that loses everything', () => {
  it('in the middle of billing and deliveries loses and doubles nothing', async () => {
    const receiver = await service.listening('subscription.activated', 'payment.succeeded');
    const subscriptions: string[] = [];
    const plan = idIn(await service.admin.made('/plans', { ...MONTHLY, total_amount: 7.77 }));
    const { user, method } = await service.cardholder('pm_card_visa');
    for (let index = 0; index < 20; index += 1) {
      const made = await service.admin.made('/subscriptions', {
        plan,
        user,
        payment_method: method,
        start_now: true,
      });
      subscriptions.push(idIn(made));
      if (index % 4 === 3) await service.flushRedis();
    }
    for (const subscription of subscriptions) {
      const payments = await eventually(
        () => paymentsOf(subscription),
        (all) => all.length > 0 && all.every((payment) => payment.status === 'SUCCEEDED'),
        40_000,
      );
      expect(payments).toHaveLength(1);
    }
    expect((await service.providerCharges()).filter((charge) => charge.amount === 777)).toHaveLength(20);
    const heard = (kind: string): Set<string> =>
      new Set(
        receiver.messages.filter((one) => one.json.kind === kind).map((one) => String(one.json.object._id)),
      );
    await receiver.until(
      () => heard('subscription.activated').size === 20 && heard('payment.succeeded').size === 20,
      30_000,
    );
    expect([...heard('subscription.activated')].sort()).toEqual([...subscriptions].sort());
  }, 120_000);
});
