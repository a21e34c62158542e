import { CouponStore, UNTIL_RELEASED } from '@commerce/catalog';
import { UnitsOfWork, type UnitOfWork } from '@commerce/data';
import { parseId, newId, type Id } from '@commerce/records';
import { idIn } from '@commerce/testing';

import { Shop } from '../shop.js';
import { World } from '../world.js';

let world: World;
const FIVE = { name: 'Five', amount_off: 5, currency: 'EUR' };

beforeAll(async () => {
  world = await World.start({ worker: false });
});
afterAll(() => world.stop());

const paths = (body: { errors: { path: string }[] }): string[] => body.errors.map(({ path }) => path);

describe('the redemptions of a coupon', () => {
  const NOW = new Date();
  const later = (minutes: number): Date => new Date(NOW.getTime() + minutes * 60_000);
  let store: CouponStore;
  let company: Id;

  beforeAll(() => {
    store = world.get(CouponStore);
    company = world.company;
  });

  async function coupon(values: object = {}): Promise<Id> {
    return parseId(idIn(await world.admin.made('/coupons', { ...FIVE, starting_date: 1e12, ...values })))!;
  }

  async function commit(fill: (work: UnitOfWork) => void, now = NOW): Promise<string> {
    const work = world.get(UnitsOfWork).begin(company, now);
    fill(work);
    try {
      await work.commit();
      return 'done';
    } catch (error) {
      return (error as { code?: string }).code ?? String(error);
    }
  }

  const reserve = (id: Id, order: Id, realNow = NOW): Promise<string> =>
    commit((work) => store.reserve(work, { coupon: id, holder: { order } }, realNow));
  const count = (id: Id, order: Id, realNow = NOW): Promise<string> =>
    commit((work) => store.count(work, { coupon: id, holder: { order } }, realNow));
  const release = (id: Id, order: Id): Promise<string> =>
    commit((work) => store.release(work, { coupon: id, holder: { order } }));
  const used = async (id: Id): Promise<number> =>
    (await store.in(company).get(id, { deleted: true })).used_count;

  it.each([1, 3])('never exceed %i with any number of concurrent orders', async (max_redemptions) => {
    const id = await coupon({ max_redemptions });
    const orders = Array.from({ length: 50 }, newId);
    const answers = await Promise.all(orders.map((order) => reserve(id, order)));
    const winners = orders.filter((_, index) => answers[index] === 'done');
    expect(winners).toHaveLength(max_redemptions);
    expect(new Set(answers)).toEqual(new Set(['done', 'coupon.used_up']));
    await Promise.all(winners.map((order) => count(id, order)));
    expect(await used(id)).toBe(max_redemptions);
    expect(await reserve(id, newId(), later(60))).toBe('coupon.used_up');
  });

  it('are reserved in the same commit as their order, or not at all', async () => {
    const id = await coupon({ max_redemptions: 1 });
    const other = await coupon();
    const both = (): Promise<string> =>
      commit((work) => {
        const order = newId();
        store.reserve(work, { coupon: other, holder: { order } }, NOW);
        store.reserve(work, { coupon: id, holder: { order } }, NOW);
      });
    const answers = await Promise.all(Array.from({ length: 8 }, both));
    expect(answers.filter((answer) => answer === 'done')).toHaveLength(1);
    expect((await store.in(company).get(other)).reservations).toHaveLength(1);
  });

  it('end when released, and after 30 minutes', async () => {
    const id = await coupon({ max_redemptions: 1 });
    const [one, two, three] = [newId(), newId(), newId()];
    expect(await reserve(id, one)).toBe('done');
    expect(await reserve(id, two)).toBe('coupon.used_up');
    expect(await reserve(id, one, later(1))).toBe('done');
    expect(await release(id, one)).toBe('done');
    expect(await release(id, one)).toBe('done');
    expect(await reserve(id, two)).toBe('done');
    expect(await reserve(id, three, later(29))).toBe('coupon.used_up');
    expect(await reserve(id, three, later(30))).toBe('done');
    expect((await store.in(company).get(id)).reservations.map(({ order }) => order)).toEqual([three]);
  });

  it('that are paid late are counted while any are left, and never beyond', async () => {
    const [full, free] = [await coupon({ max_redemptions: 1 }), await coupon({ max_redemptions: 2 })];
    for (const id of [full, free]) {
      const [slow, quick] = [newId(), newId()];
      await reserve(id, slow);
      expect(await reserve(id, quick, later(31))).toBe('done');
      expect(await count(id, quick, later(32))).toBe('done');
      expect(await count(id, slow, later(33))).toBe('done');
    }
    expect([await used(full), await used(free)]).toEqual([1, 2]);
  });

  it('are counted without a maximum, and shown', async () => {
    const id = await coupon();
    const orders = Array.from({ length: 20 }, newId);
    await Promise.all(orders.map((order) => reserve(id, order)));
    await Promise.all(orders.map((order) => count(id, order)));
    const shown = await world.admin.read(`/coupons/${id.toHexString()}`);
    expect([shown.used_count, 'reservations' in shown]).toEqual([20, false]);
    expect((await store.in(company).get(id)).reservations).toEqual([]);
  });

  it('need an existing, current coupon of the company', async () => {
    const gone = await coupon();
    await world.admin.delete(`/coupons/${gone.toHexString()}`);
    const over = await coupon({ ending_date: 1.1e12 });
    const notYet = await coupon({ starting_date: 4e12 });
    const foreign = parseId(idIn(await (await world.stranger()).admin.made('/coupons', FIVE)))!;
    for (const id of [gone, over, notYet, foreign, newId()]) {
      expect(await reserve(id, newId())).toBe('coupon.used_up');
    }
  });

  it('survive the deletion of the coupon, and limit how far max_redemptions can fall', async () => {
    const id = await coupon({ max_redemptions: 5 });
    const [one, two] = [newId(), newId()];
    await reserve(id, one);
    await count(id, one);
    await reserve(id, two);
    const put = (max_redemptions: number | null): Promise<any> =>
      world.admin.put(`/coupons/${id.toHexString()}`, { max_redemptions });
    expect(paths((await put(1)).body)).toEqual(['max_redemptions']);
    expect((await put(2)).status).toBe(200);
    expect((await put(null)).status).toBe(200);
    await world.admin.delete(`/coupons/${id.toHexString()}`);
    await count(id, two);
    expect(await used(id)).toBe(2);
  });

  it('are shared by orders and subscriptions, of which each replaces, counts and releases its own', async () => {
    const id = await coupon({ max_redemptions: 2 });
    const [order, subscription, other] = [newId(), newId(), newId()];
    const forSubscription = { coupon: id, holder: { subscription } };
    const hold = (of: Id): Promise<string> =>
      commit((work) =>
        store.reserve(work, { coupon: id, holder: { subscription: of } }, NOW, UNTIL_RELEASED),
      );
    expect([await reserve(id, order), await hold(subscription), await hold(other)]).toEqual([
      ...['done', 'done', 'coupon.used_up'],
    ]);
    expect(await hold(subscription)).toBe('done');
    const { reservations } = await store.in(company).get(id);
    expect(reservations).toEqual([
      { order, until: later(30) },
      { subscription, until: UNTIL_RELEASED },
    ]);
    expect(await commit((work) => store.release(work, { coupon: id, holder: { order: subscription } }))).toBe(
      'done',
    );
    expect(await hold(other)).toBe('coupon.used_up');
    await commit((work) => store.count(work, forSubscription, NOW));
    await release(id, order);
    expect([await used(id), await hold(other), await hold(newId())]).toEqual([1, 'done', 'coupon.used_up']);
    await commit((work) => store.release(work, { coupon: id, holder: { subscription: other } }));
    expect((await store.in(company).get(id)).reservations).toEqual([]);
  });

  it('never exceed 10 with 100 concurrent subscriptions and 100 concurrent orders', async () => {
    const id = await coupon({ max_redemptions: 10 });
    const holders = Array.from({ length: 200 }, (_, index) =>
      index % 2 === 0 ? { order: newId() } : { subscription: newId() },
    );
    const answers = await Promise.all(
      holders.map((holder) => commit((work) => store.reserve(work, { coupon: id, holder }, NOW))),
    );
    const winners = holders.filter((_, index) => answers[index] === 'done');
    expect(winners).toHaveLength(10);
    await Promise.all(
      winners.map((holder) => commit((work) => store.count(work, { coupon: id, holder }, NOW))),
    );
    expect(await used(id)).toBe(10);
  });

  it('of a subscription are counted alone where the coupon has no maximum', async () => {
    const id = await coupon();
    const redemption = { coupon: id, holder: { subscription: newId() } };
    expect(await commit((work) => store.reserve(work, redemption, NOW, UNTIL_RELEASED))).toBe('done');
    expect((await store.in(company).get(id)).reservations).toEqual([]);
    await commit((work) => store.count(work, redemption, NOW));
    await commit((work) => store.release(work, redemption));
    expect(await used(id)).toBe(1);
  });

  it('are kept up to 10,000 at once', async () => {
    const limited = await coupon({ max_redemptions: 20_000 });
    const free = await coupon();
    const reservations = Array.from({ length: 10_000 }, () => ({ order: newId(), until: UNTIL_RELEASED }));
    await new Shop(world).database
      .collection('coupons')
      .updateMany({ _id: { $in: [limited, free] } }, { $set: { reservations } });
    const kept = async (id: Id): Promise<number> => (await store.in(company).get(id)).reservations.length;
    expect([await reserve(limited, newId()), await kept(limited)]).toEqual([
      ...['coupon.too_many_reserved', 10_000],
    ]);
    expect([await reserve(limited, reservations[0]!.order), await kept(limited)]).toEqual(['done', 10_000]);
    await release(limited, reservations[1]!.order);
    expect(await reserve(limited, newId())).toBe('done');
    const late = newId();
    expect([await reserve(free, late), await kept(free)]).toEqual(['done', 10_000]);
    expect([await count(free, late), await used(free)]).toEqual(['done', 1]);
  });

  it('lose no concurrent change of the coupon', async () => {
    const id = await coupon({ max_redemptions: 20 });
    const answers = await Promise.all([
      ...Array.from({ length: 10 }, () => reserve(id, newId())),
      world.admin.put(`/coupons/${id.toHexString()}`, { max_redemptions: 10 }),
    ]);
    const { reservations, max_redemptions } = await store.in(company).get(id);
    expect(reservations).toHaveLength(answers.filter((answer) => answer === 'done').length);
    expect(reservations.length).toBeLessThanOrEqual(max_redemptions!);
  });
});
