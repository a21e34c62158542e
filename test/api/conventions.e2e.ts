import { World } from '../world.js';

let world: World;
beforeAll(async () => {
  world = await World.start({ worker: false });
  for (let n = 0; n < 8; n += 1) await world.admin.made('/users', { name: `User ${String(n)}` });
});
afterAll(async () => {
  await world.stop();
});

describe('X-Service-Version', () => {
  it.each([
    ['2019-02-01', '2019-02-01'],
    ['2019-08-20', '2019-08-15'],
    ['2019-09-10', '2019-09-02'],
    ['2024-01-01', '2019-09-18'],
  ])('resolves %s to %s', async (asked, resolved) => {
    const response = await world.admin.with({ 'X-Service-Version': asked }).get('/users');
    expect(response.headers['x-service-version']).toBe(resolved);
  });

  it.each(['2019-01-31', '2999-01-01', '2019-02-30', 'yesterday'])('refuses %s', async (asked) => {
    const response = await world.admin.with({ 'X-Service-Version': asked }).get('/users');
    expect([response.status, response.body.code]).toEqual([400, 'version.invalid']);
  });
});

describe('Lists', () => {
  it.each([
    'size=0',
    'size=101',
    'size=abc',
    'page=-1',
    'size=1&size=2',
    'sort=$where',
    'sort=--name',
    'foo=1',
    'from_date=x',
  ])('refuse ?%s', async (query) => {
    const response = await world.admin.get(`/users?${query}`);
    expect(response.status).toBe(422);
    expect(response.body.errors[0].path).toBe(query.split('=')[0]);
  });

  it('are empty beyond the end, and state their position', async () => {
    const response = await world.admin.get('/users', { size: 2, page: 900 });
    expect(response.body).toEqual([]);
    const first = await world.admin.get('/users', { size: 2, total: true });
    expect(first.body).toHaveLength(2);
    expect(first.headers['link']).toContain('rel="next"');
    expect(first.headers['link']).toContain('rel="last"');
  });

  it('go on after a record without drifting', async () => {
    const seen: string[] = [];
    let after: string | undefined;
    for (;;) {
      const response = await world.admin.get('/users', {
        size: 3,
        sort: 'created',
        ...(after === undefined ? {} : { after }),
      });
      seen.push(...response.body.map((one: any) => one._id.$oid));
      if (response.body.length < 3) break;
      after = seen.at(-1);
    }
    const total = Number((await world.admin.get('/users', { total: true })).headers['x-total-count']);
    expect(new Set(seen).size).toBe(total);
    expect(seen).toHaveLength(total);
  });
});
