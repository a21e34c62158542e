import { eventually } from '@commerce/testing';

import { World } from '../world.js';
import { DAY, Scenario, at } from './scenario.js';

let world: World;

beforeAll(async () => {
  // A failed billing is logged as an error, and one test here provokes it.
  world = await World.start({ env: { LOG_LEVEL: 'fatal' } });
});
afterAll(() => world.stop());

describe('a test clock with several customers', () => {
  it('bills across all of them in the order of the dates', async () => {
    const first = await Scenario.begin(world, '2025-01-01');
    const second = await first.another();
    const third = await first.another();
    const weekly = await first.subscribed(
      { interval_unit: 'WEEK', prepay: true, total_amount: 7 },
      { payment_method: await first.card() },
    );
    const daily = await second.subscribed(
      { interval_unit: 'DAY', total_amount: 1 },
      { payment_method: await second.card() },
    );
    const monthly = await third.subscribed({}, { payment_method: await third.card() });
    await first.until('2025-02-02');
    const payments = [
      ...(await first.payments(weekly)),
      ...(await second.payments(daily)),
      ...(await third.payments(monthly)),
    ];
    expect(payments).toHaveLength(5 + 32 + 1);
    // Ids follow the order of creation, dates the clock.
    const asMade = [...payments].sort((a, b) => (a._id.$oid < b._id.$oid ? -1 : 1));
    const dates = asMade.map(({ created }) => created.$date);
    expect(dates).toEqual([...dates].sort((a, b) => a - b));
  });

  it('runs four years of months in one go', async () => {
    const scenario = await Scenario.begin(world, '2016-02-29');
    const id = await scenario.subscribed({ prepay: true }, { payment_method: await scenario.card() });
    await scenario.until('2020-02-29');
    expect(await scenario.ledger()).toMatchObject({ charges: 49, captured: 49 * 3000 });
    // The record names the newest 24; the list has all.
    expect(await scenario.payments(id)).toHaveLength(49);
    const { payments } = await scenario.subscription(id);
    expect(payments).toHaveLength(24);
  });

  it('advances when nothing is due, and bills once a period that ends on the very instant', async () => {
    const scenario = await Scenario.begin(world, '2025-01-01');
    const id = await scenario.subscribed({}, { payment_method: await scenario.card() });
    await scenario.until(at('2025-02-01') - 1);
    expect(await scenario.payments(id)).toEqual([]);
    await scenario.until('2025-02-01');
    expect(await scenario.payments(id)).toHaveLength(1);
    await scenario.until('2025-02-01');
    await scenario.until(at('2025-02-01') + DAY);
    expect(await scenario.payments(id)).toHaveLength(1);
  });
});

describe('a charge whose result takes days', () => {
  it('holds up neither the clock nor the next period', async () => {
    const scenario = await Scenario.begin(world, '2025-01-01');
    const id = await scenario.subscribed({}, { payment_method: await scenario.card() });
    await scenario.bank('late_success');
    await scenario.until('2025-03-01');
    expect(await scenario.bill(id)).toEqual([
      ['2025-02-01', 30, 'PROCESSING'],
      ['2025-03-01', 30, 'SUCCEEDED'],
    ]);
    expect(await scenario.subscription(id)).toMatchObject({ collection_state: 'OK', awaiting_amount: 30 });
    await scenario.providerHurries();
    await eventually(
      () => scenario.bill(id),
      ([first]) => first?.[2] === 'SUCCEEDED',
    );
    expect(await scenario.subscription(id)).toMatchObject({ awaiting_amount: 0, outstanding_amount: 0 });
  });

  it('is debt where it fails, which the next charge collects', async () => {
    const scenario = await Scenario.begin(world, '2025-01-01');
    const id = await scenario.subscribed({}, { payment_method: await scenario.card() });
    await scenario.bank('late_failure');
    await scenario.until('2025-03-01');
    await scenario.providerHurries();
    const failed = await eventually(
      () => scenario.subscription(id),
      ({ outstanding_amount }) => outstanding_amount > 0,
    );
    expect(failed).toMatchObject({ outstanding_amount: 30, collection_state: 'PAST_DUE' });
    await scenario.until('2025-04-01');
    expect(await scenario.bill(id)).toEqual([
      ['2025-02-01', 30, 'FAILED'],
      ['2025-03-01', 30, 'SUCCEEDED'],
      ['2025-04-01', 60, 'SUCCEEDED'],
    ]);
    expect(await scenario.ledger()).toMatchObject({ charges: 2, captured: 9000 });
  });
});

describe('a charge whose reply gets lost', () => {
  it.each(['reset_after_charge', 'cut_after_charge', '500_twice_after_charge'])(
    'is not made again: %s',
    async (fault) => {
      const scenario = await Scenario.begin(world, '2025-01-01');
      const id = await scenario.subscribed({}, { payment_method: await scenario.card() });
      await scenario.bank(fault);
      await scenario.sets('2025-03-01');
      await eventually(
        async () => {
          await scenario.providerHurries();
          return scenario.time();
        },
        ({ status }) => status === 'ready',
      );
      expect(await scenario.bill(id)).toEqual([
        ['2025-02-01', 30, 'SUCCEEDED'],
        ['2025-03-01', 30, 'SUCCEEDED'],
      ]);
      expect(await scenario.ledger()).toMatchObject({ charges: 2, captured: 6000 });
    },
  );
});

describe('prices', () => {
  it('are read when a charge is computed, unless the plan froze them', async () => {
    const scenario = await Scenario.begin(world, '2025-01-01');
    const product = await world.admin.made('/products', { name: 'Tea', price: 10, currency: 'EUR' });
    const items = [{ product: product._id.$oid, quantity: 2 }];
    const payment_method = await scenario.card();
    const moving = await scenario.subscribed({ items, total_amount: undefined }, { payment_method });
    const frozen = await scenario.subscribed(
      { items, total_amount: undefined, static: true },
      { payment_method },
    );
    await scenario.until('2025-02-01');
    await world.admin.put(`/products/${String(product._id.$oid)}`, { price: 15 });
    await scenario.until('2025-03-01');
    expect((await scenario.bill(moving)).map(([, amount]) => amount)).toEqual([20, 30]);
    expect((await scenario.bill(frozen)).map(([, amount]) => amount)).toEqual([20, 20]);
  });

  it('that cannot be read do not affect the others', async () => {
    const scenario = await Scenario.begin(world, '2025-01-01');
    const product = await world.admin.made('/products', { name: 'Tea', price: 10, currency: 'EUR' });
    const items = [{ product: product._id.$oid }];
    const payment_method = await scenario.card();
    const stuck = await scenario.subscribed({ items, total_amount: undefined }, { payment_method });
    const fine = await scenario.subscribed({}, { payment_method });
    await world.admin.delete(`/plans/${String((await scenario.subscription(stuck)).plan.$oid)}`);
    await world.admin.changed(`/products/${String(product._id.$oid)}`, { currency: 'USD' });
    await scenario.until('2025-02-01');
    expect(await scenario.payments(stuck)).toEqual([]);
    expect(await scenario.bill(fine)).toEqual([['2025-02-01', 30, 'SUCCEEDED']]);
    expect(await scenario.row(stuck)).toMatchObject({ failures: 3, due: new Date(at('2025-02-01')) });
  });
});
