import { idIn, type Client } from '@commerce/testing';

import { World } from '../world.js';

let world: World;
const QUARTER = { name: 'Summer', code: 'Summer25', percent_off: 0.25 };
const FIVE = { name: 'Five', amount_off: 5, currency: 'EUR' };

beforeAll(async () => {
  world = await World.start({ worker: false });
});
afterAll(() => world.stop());

const paths = (body: { errors: { path: string }[] }): string[] => body.errors.map(({ path }) => path);
const shop = async (): Promise<Client> => (await world.stranger()).admin;
const codes = (list: { code: string }[]): string[] => list.map(({ code }) => code);

describe('POST /coupons', () => {
  it('replies with the whole record, its fields in the documented order', async () => {
    const admin = await shop();
    const { status, body } = await admin.post('/coupons', { ...QUARTER, max_redemptions: 3 });
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual([
      ...['_id', 'company', '_cls', 'name', 'code', 'currency', 'percent_off', 'amount_off'],
      ...['duration', 'duration_in_intervals', 'plans', 'products'],
      ...['starting_date', 'ending_date', 'max_redemptions', 'max_redemptions_per_user', 'used_count'],
      ...['active', 'delete', 'created', 'modified'],
    ]);
    expect(body).toMatchObject({
      ...QUARTER,
      _cls: 'Coupon',
      currency: null,
      amount_off: null,
      duration: 'ONCE',
      duration_in_intervals: null,
      plans: [],
      products: [],
      starting_date: body.created,
      ending_date: null,
      max_redemptions: 3,
      max_redemptions_per_user: null,
      used_count: 0,
      active: true,
      delete: false,
    });
    expect(await admin.read(`/coupons/${idIn(body)}`)).toEqual(body);
  });

  it('accepts dates as numbers and shows them as dates', async () => {
    const dates = { starting_date: 1706659200, ending_date: 1706745600000 };
    const made = await (await shop()).made('/coupons', { ...FIVE, ...dates });
    expect([made.starting_date, made.ending_date]).toEqual([
      { $date: 1706659200000 },
      { $date: 1706745600000 },
    ]);
  });

  it('generates a code of six readable characters', async () => {
    const made = await Promise.all([1, 2, 3].map(() => world.admin.made('/coupons', FIVE)));
    for (const { code } of made) expect(code).toMatch(/^[2-9A-HJKMNP-Z]{6}$/);
    expect(new Set(codes(made)).size).toBe(3);
  });

  it('gives a code to one coupon only, regardless of case and concurrency', async () => {
    const [admin, other] = [await shop(), await shop()];
    const answers = await Promise.all(
      ['Summer25', 'SUMMER25', 'summer25', 'sUmMeR25'].map((code) =>
        admin.post('/coupons', { ...FIVE, code }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    const { status, body } = await admin.post('/coupons', QUARTER);
    expect([status, body.code, paths(body)]).toEqual([409, 'coupon.code_taken', ['code']]);
    expect((await other.post('/coupons', QUARTER)).status).toBe(200);
  });

  it.each<[string, object, string]>([
    ['two discounts', { ...QUARTER, amount_off: 5, currency: 'EUR' }, 'amount_off'],
    ['no discount', { name: 'x' }, 'percent_off'],
    ['an amount without currency', { amount_off: 5 }, 'currency'],
    ['more decimals than the currency has', { ...FIVE, amount_off: 0.001 }, 'amount_off'],
    ['decimals of yen', { amount_off: 100.5, currency: 'JPY' }, 'amount_off'],
    ['a negative amount', { ...FIVE, amount_off: -1 }, 'amount_off'],
    ['an amount as text', { ...FIVE, amount_off: '5' }, 'amount_off'],
    ['an unknown currency', { ...FIVE, currency: 'XXQ' }, 'currency'],
    ['more than 100 %', { percent_off: 1.0001 }, 'percent_off'],
    ['25 for 25 %', { percent_off: 25 }, 'percent_off'],
    ['an end before the start', { ...FIVE, starting_date: 2e12, ending_date: 1e12 }, 'ending_date'],
    ['an invalid date', { ...FIVE, ending_date: 8.64e15 + 1 }, 'ending_date'],
    ['REPEATING without a number', { ...FIVE, duration: 'REPEATING' }, 'duration_in_intervals'],
    ['a number without REPEATING', { ...FIVE, duration_in_intervals: 3 }, 'duration_in_intervals'],
    ['no intervals', { ...FIVE, duration: 'REPEATING', duration_in_intervals: 0 }, 'duration_in_intervals'],
    [
      '1001 intervals',
      { ...FIVE, duration: 'REPEATING', duration_in_intervals: 1001 },
      'duration_in_intervals',
    ],
    ['another duration', { ...FIVE, duration: 'YEARLY' }, 'duration'],
    ['101 products', { ...FIVE, products: Array(101).fill('0123456789abcdef01234567') }, 'products'],
    ['no redemptions', { ...FIVE, max_redemptions: 0 }, 'max_redemptions'],
    ['half a redemption', { ...FIVE, max_redemptions: 1.5 }, 'max_redemptions'],
    ['an empty code', { ...FIVE, code: '' }, 'code'],
    ['a code with spaces around', { ...FIVE, code: ' A' }, 'code'],
    ['a used_count', { ...FIVE, used_count: -100 }, 'used_count'],
    ['a deletion', { ...FIVE, delete: true }, 'delete'],
    ['reservations', { ...FIVE, reservations: [] }, 'reservations'],
  ])('refuses %s', async (_, values, path) => {
    const { status, body } = await world.admin.post('/coupons', values);
    expect([status, paths(body)]).toEqual([422, [path]]);
  });

  it('takes the plans and products of the company, each once, and names those that it does not have', async () => {
    const [admin, other] = [await shop(), await shop()];
    const product = async (by: Client): Promise<string> =>
      idIn(await by.made('/products', { name: 'Tea', price: 1, currency: 'EUR', active: true }));
    const plan = async (by: Client): Promise<string> =>
      idIn(await by.made('/plans', { interval_unit: 'MONTH', currency: 'EUR', total_amount: 10 }));
    const [tea, gone, foreign] = [await product(admin), await product(admin), await product(other)];
    const [basic, ended, strange] = [await plan(admin), await plan(admin), await plan(other)];
    await admin.delete(`/products/${gone}`);
    await admin.delete(`/plans/${ended}`);
    const limited = { ...FIVE, duration: 'REPEATING', duration_in_intervals: 3, plans: [basic, basic] };
    const made = await admin.made('/coupons', { ...limited, products: [tea] });
    expect(made).toMatchObject({
      ...{ duration: 'REPEATING', duration_in_intervals: 3 },
      ...{ plans: [{ $oid: basic }], products: [{ $oid: tea }] },
    });
    for (const refused of [
      await admin.post('/coupons', { ...FIVE, products: [tea, gone, foreign] }),
      await admin.put(`/coupons/${idIn(made)}`, { products: [tea, gone, foreign] }),
    ]) {
      const { code } = refused.body;
      expect([refused.status, code, paths(refused.body)]).toEqual([
        ...[422, 'product.unknown', ['products.1', 'products.2']],
      ]);
    }
    const plans = await admin.post('/coupons', { ...FIVE, plans: [ended, basic, strange] });
    expect([plans.body.code, paths(plans.body)]).toEqual(['plan.unknown', ['plans.0', 'plans.2']]);

    // One that is deleted later stays, and does not get in the way of other changes.
    await admin.delete(`/products/${tea}`);
    const kept = await admin.put(`/coupons/${idIn(made)}`, { products: [tea], duration: 'FOREVER' });
    expect(kept.body).toMatchObject({
      ...{ products: [{ $oid: tea }], duration: 'FOREVER', duration_in_intervals: null },
    });
    const { body } = await admin.put(`/coupons/${idIn(made)}`, { products: [], plans: [] });
    expect([body.products, body.plans]).toEqual([[], []]);
  });

  it('is for admins, like all routes of coupons', async () => {
    const { client } = await world.user();
    const id = idIn(await world.admin.made('/coupons', FIVE));
    for (const answer of [
      await client.post('/coupons', FIVE),
      await client.get('/coupons'),
      await client.get('/coupons/search', { query: 'x' }),
      await client.get(`/coupons/${id}`),
      await client.put(`/coupons/${id}`, { name: 'x' }),
      await client.delete(`/coupons/${id}`),
    ]) {
      expect(answer.status).toBe(403);
    }
    expect((await world.anonymous.get('/coupons')).status).toBe(401);
  });
});

describe('PUT /coupons/<id>', () => {
  it('keeps only one kind of discount', async () => {
    const admin = await shop();
    const id = idIn(await admin.made('/coupons', QUARTER));
    const put = async (body: object): Promise<any> => (await admin.put(`/coupons/${id}`, body)).body;
    expect(paths(await put({ amount_off: 5 }))).toEqual(['currency']);
    expect(await put({ amount_off: 5, currency: 'EUR' })).toMatchObject({ amount_off: 5, percent_off: null });
    expect(await put({ percent_off: 0.5 })).toMatchObject({ percent_off: 0.5, amount_off: null });
    expect(paths(await put({ percent_off: 0.5, amount_off: 5 }))).toEqual(['amount_off']);
    expect(paths(await put({ percent_off: null }))).toEqual(['percent_off']);
    expect(await put({ amount_off: 100, currency: 'JPY' })).toMatchObject({ currency: 'JPY' });
    expect(paths(await put({ amount_off: 0.5 }))).toEqual(['amount_off']);
    expect(paths(await put({ currency: null }))).toEqual(['currency']);
  });

  it('changes the given fields and leaves the rest', async () => {
    const admin = await shop();
    const made = await admin.made('/coupons', { ...FIVE, ending_date: 4e12 });
    const changes = { name: 'New', max_redemptions: 7, ending_date: null };
    const { body } = await admin.put(`/coupons/${idIn(made)}`, changes);
    expect(body).toEqual({ ...made, ...changes, modified: { $date: expect.any(Number) } });
    expect((await admin.put(`/coupons/${idIn(made)}`, { starting_date: null })).status).toBe(422);
    expect((await admin.put(`/coupons/${idIn(made)}`, { active: false })).status).toBe(422);
  });

  it('changes a code, and frees the old one', async () => {
    const admin = await shop();
    const [one, two] = [
      await admin.made('/coupons', { ...FIVE, code: 'ONE' }),
      await admin.made('/coupons', { ...FIVE, code: 'TWO' }),
    ];
    const put = (coupon: any, code: string): Promise<any> => admin.put(`/coupons/${idIn(coupon)}`, { code });
    expect((await put(one, 'two')).body.code).toBe('coupon.code_taken');
    expect((await put(one, 'One')).body.code).toBe('One');
    expect((await put(one, 'THREE')).body.code).toBe('THREE');
    expect((await put(two, 'one')).body.code).toBe('one');
    expect((await put(one, 'Two')).body.code).toBe('Two');
    expect(codes(await admin.read('/coupons/search', { query: 'three' }))).toEqual([]);
    expect(codes(await admin.read('/coupons/search', { query: 'TWO' }))).toEqual(['Two']);
  });

  it('is 404 for unknown, foreign and deleted ones', async () => {
    const gone = idIn(await world.admin.made('/coupons', FIVE));
    await world.admin.delete(`/coupons/${gone}`);
    const foreign = idIn(await (await shop()).made('/coupons', FIVE));
    for (const id of [gone, foreign, 'x', '__proto__']) {
      expect((await world.admin.put(`/coupons/${id}`, { name: 'x' })).body.code).toBe('coupon.not_found');
      expect((await world.admin.delete(`/coupons/${id}`)).status).toBe(404);
    }
    expect((await world.admin.get(`/coupons/${foreign}`)).status).toBe(404);
  });
});

describe('DELETE /coupons/<id>', () => {
  it('marks the coupon as deleted and frees its code', async () => {
    const admin = await shop();
    const id = idIn(await admin.made('/coupons', QUARTER));
    expect((await admin.delete(`/coupons/${id}`)).body).toMatchObject({ delete: true, active: false });
    expect((await admin.read(`/coupons/${id}`)).delete).toBe(true);
    expect((await admin.post('/coupons', QUARTER)).status).toBe(200);
  });
});

describe('GET /coupons and /coupons/search', () => {
  it('list by name, as the query asks', async () => {
    const admin = await shop();
    const made = [];
    for (const name of ['b', 'c', 'a'])
      made.push(await admin.made('/coupons', { ...FIVE, name, code: `x${name}` }));
    await admin.delete(`/coupons/${idIn(made[1])}`);
    const list = async (query: Record<string, string | number | boolean>): Promise<string[]> =>
      codes(await admin.read('/coupons', query));
    expect(await list({})).toEqual(['xa', 'xb']);
    expect(await list({ included_deleted: true })).toEqual(['xa', 'xb', 'xc']);
    expect(await list({ included_deleted: true, active: false })).toEqual(['xc']);
    expect(await list({ active: true, sort: '-created' })).toEqual(['xa', 'xb']);
    expect(await list({ sort: '-name', size: 1, page: 1 })).toEqual(['xa']);
    expect(await list({ after: idIn(made[2]), size: 1 })).toEqual(['xb']);
    const from_date = made[2].created.$date as number;
    expect(await list({ date_filter: 'CREATED', from_date })).toEqual(['xa']);
    expect(await list({ to_date: made[0].created.$date })).toEqual([]);
    for (const query of ['size=0', 'sort=percent_off', 'include=1', 'active=x', 'active[$ne]=true']) {
      expect((await admin.get(`/coupons?${query}`)).status).toBe(422);
    }
  });

  it('search by any part of code and name, and by the id', async () => {
    const admin = await shop();
    const made = await admin.made('/coupons', QUARTER);
    await admin.made('/coupons', { ...FIVE, code: 'WINTER' });
    const found = async (query: string): Promise<string[]> =>
      codes(await admin.read('/coupons/search', { query }));
    expect(await found('MER2')).toEqual(['Summer25']);
    expect(await found('summer')).toEqual(['Summer25']);
    expect(await found('five')).toEqual(['WINTER']);
    expect(await found('e')).toEqual(['WINTER', 'Summer25']);
    expect(await found(idIn(made))).toEqual(['Summer25']);
    expect(await found('(a+)+$')).toEqual([]);
    expect(await world.admin.read('/coupons/search', { query: idIn(made) })).toEqual([]);
    await admin.delete(`/coupons/${idIn(made)}`);
    expect(await found('summer')).toEqual([]);
    expect(codes(await admin.read('/coupons/search', { query: 'summer', included_deleted: true }))).toEqual([
      'Summer25',
    ]);
  });
});
