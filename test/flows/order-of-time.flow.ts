import { eventually } from '@commerce/testing';

import { World } from '../world.js';
import { DAY, Story, at } from './story.js';

let world: World;

beforeAll(async () => {
  // A failed billing is logged as an error, and one test here provokes it.
  world = await World.start({ env: { LOG_LEVEL: 'fatal' } });
});
afterAll(() => world.stop());

describe('a test clock with several customers', () => {
  it('bills across all of them in the order of the dates', async () => {
    const first = await Story.begin(world, '2025-01-01');
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
    const story = await Story.begin(world, '2016-02-29');
    const id = await story.subscribed({ prepay: true }, { payment_method: await story.card() });
    await story.until('2020-02-29');
    expect(await story.ledger()).toMatchObject({ charges: 49, captured: 49 * 3000 });
    // The record names the newest 24; the list has all.
    expect(await story.payments(id)).toHaveLength(49);
    const { payments } = await story.subscription(id);
    expect(payments).toHaveLength(24);
  });

  it('advances when nothing is due, and bills once a period that ends on the very instant', async () => {
    const story = await Story.begin(world, '2025-01-01');
    const id = await story.subscribed({}, { payment_method: await story.card() });
    await story.until(at('2025-02-01') - 1);
    expect(await story.payments(id)).toEqual([]);
    await story.until('2025-02-01');
    expect(await story.payments(id)).toHaveLength(1);
    await story.until('2025-02-01');
    await story.until(at('2025-02-01') + DAY);
    expect(await story.payments(id)).toHaveLength(1);
  });
});

describe('a charge that the provider is slow to answer', () => {
  it('holds the clock until its outcome is known', async () => {
    const story = await Story.begin(world, '2025-01-01');
    const id = await story.subscribed({}, { payment_method: await story.card() });
    await story.bank('late_success');
    await story.sets('2025-03-01');
    await eventually(
      () => story.bill(id),
      (bill) => bill.length > 0,
    );
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect(await story.bill(id)).toEqual([['2025-02-01', 30, 'PROCESSING']]);
    expect(await story.time()).toMatchObject({
      status: 'advancing',
      frozen_time: { $date: at('2025-02-01') },
    });
    await story.providerHurries();
    await story.arrives();
    expect(await story.bill(id)).toEqual([
      ['2025-02-01', 30, 'SUCCEEDED'],
      ['2025-03-01', 30, 'SUCCEEDED'],
    ]);
  });
});

describe('a charge whose reply gets lost', () => {
  it.each(['reset_after_charge', 'cut_after_charge', '500_twice_after_charge'])(
    'is not made again: %s',
    async (fault) => {
      const story = await Story.begin(world, '2025-01-01');
      const id = await story.subscribed({}, { payment_method: await story.card() });
      await story.bank(fault);
      await story.sets('2025-03-01');
      await eventually(
        async () => {
          await story.providerHurries();
          return story.time();
        },
        ({ status }) => status === 'ready',
      );
      expect(await story.bill(id)).toEqual([
        ['2025-02-01', 30, 'SUCCEEDED'],
        ['2025-03-01', 30, 'SUCCEEDED'],
      ]);
      expect(await story.ledger()).toMatchObject({ charges: 2, captured: 6000 });
    },
  );
});

describe('prices', () => {
  it('are read when a charge is computed, unless the plan froze them', async () => {
    const story = await Story.begin(world, '2025-01-01');
    const product = await world.admin.made('/products', { name: 'Tea', price: 10, currency: 'EUR' });
    const items = [{ product: product._id.$oid, quantity: 2 }];
    const payment_method = await story.card();
    const moving = await story.subscribed({ items, total_amount: undefined }, { payment_method });
    const frozen = await story.subscribed(
      { items, total_amount: undefined, static: true },
      { payment_method },
    );
    await story.until('2025-02-01');
    await world.admin.put(`/products/${String(product._id.$oid)}`, { price: 15 });
    await story.until('2025-03-01');
    expect((await story.bill(moving)).map(([, amount]) => amount)).toEqual([20, 30]);
    expect((await story.bill(frozen)).map(([, amount]) => amount)).toEqual([20, 20]);
  });

  it('that cannot be read do not affect the others', async () => {
    const story = await Story.begin(world, '2025-01-01');
    const product = await world.admin.made('/products', { name: 'Tea', price: 10, currency: 'EUR' });
    const items = [{ product: product._id.$oid }];
    const payment_method = await story.card();
    const stuck = await story.subscribed({ items, total_amount: undefined }, { payment_method });
    const fine = await story.subscribed({}, { payment_method });
    await world.admin.delete(`/plans/${String((await story.subscription(stuck)).plan.$oid)}`);
    await world.admin.changed(`/products/${String(product._id.$oid)}`, { currency: 'USD' });
    await story.until('2025-02-01');
    expect(await story.payments(stuck)).toEqual([]);
    expect(await story.bill(fine)).toEqual([['2025-02-01', 30, 'SUCCEEDED']]);
    expect(await story.row(stuck)).toMatchObject({ failures: 3, due: new Date(at('2025-02-01')) });
  });
});
