import { World } from '../world.js';

let world: World;
beforeAll(async () => {
  world = await World.start({ worker: false });
});
afterAll(async () => {
  await world.stop();
});

describe('Idempotency-Key', () => {
  const count = async (): Promise<number> =>
    Number((await world.admin.get('/users', { total: true })).headers['x-total-count']);

  it('gives the second request the answer of the first', async () => {
    const before = await count();
    const caller = world.admin.with({ 'Idempotency-Key': 'same' });
    const first = await caller.post('/users', { name: 'Once' });
    const second = await caller.post('/users', { name: 'Once' });
    expect(second.body).toEqual(first.body);
    expect(first.headers['idempotent-replayed']).toBeUndefined();
    expect(second.headers['idempotent-replayed']).toBe('true');
    expect(await count()).toBe(before + 1);
  });

  it('refuses another body under the same key', async () => {
    const caller = world.admin.with({ 'Idempotency-Key': 'other-body' });
    await caller.made('/users', { name: 'A' });
    expect((await caller.post('/users', { name: 'B' })).body).toMatchObject({
      status: 422,
      code: 'idempotency_key.reused',
    });
  });

  it('has one effect when twenty requests come at once', async () => {
    const before = await count();
    const caller = world.admin.with({ 'Idempotency-Key': 'parallel' });
    const answers = await Promise.all(Array.from({ length: 20 }, () => caller.post('/users', { name: 'P' })));
    const statuses = new Set(answers.map((answer) => answer.status));
    expect([...statuses].every((status) => status === 200 || status === 409)).toBe(true);
    expect(
      new Set(answers.filter((answer) => answer.status === 200).map((answer) => answer.body._id.$oid)).size,
    ).toBe(1);
    expect(await count()).toBe(before + 1);
  });

  it('lets a repaired request use the key again', async () => {
    const caller = world.admin.with({ 'Idempotency-Key': 'repaired' });
    expect((await caller.post('/users', { email: 'bad' })).status).toBe(422);
    expect((await caller.post('/users', { name: 'Good' })).status).toBe(200);
  });
});
