import { eventually, idIn } from '@commerce/testing';

import { World } from '../world.js';

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.stop());

/** Reads the whole log page by page, as a consumer that catches up. */
async function whole(query: Record<string, string> = {}, client = world.admin): Promise<any[]> {
  const all: any[] = [];
  for (;;) {
    const after = all.at(-1)?.id as string | undefined;
    const page: any[] = await client.read('/events', {
      ...query,
      size: 7,
      ...(after === undefined ? {} : { after }),
    });
    if (page.length === 0) return all;
    all.push(...page);
  }
}

function logged(count: number, query: Record<string, string>): Promise<any[]> {
  return eventually(
    () => whole(query),
    (all) => all.length >= count,
  );
}

describe('GET /events?newest=true', () => {
  it('shows the end of the log, in its order, from which a consumer follows', async () => {
    const { admin } = await world.stranger();
    expect(await admin.read('/events', { newest: true })).toEqual([]);
    const users: string[] = [];
    for (let number = 1; number <= 5; number += 1)
      users.push(idIn(await admin.made('/users', { name: `User ${String(number)}` })));
    await admin.changed(`/users/${users[0]!}`, { name: 'First' });
    const all = await eventually(
      () => whole({}, admin),
      (events) => events.length === 6,
    );
    const ids = (events: any[]): string[] => events.map(({ id }) => id);
    expect(ids(await admin.read('/events', { newest: true, size: 3 }))).toEqual(ids(all.slice(-3)));
    expect(ids(await admin.read('/events', { newest: true, size: 100 }))).toEqual(ids(all));
    // The only match lies far from the end.
    const one = { newest: true, size: 1, object: users[1]! };
    expect(ids(await admin.read('/events', one))).toEqual(
      ids(all.filter(({ object }) => object._id === users[1])),
    );
    const changed = await admin.read('/events', { newest: true, kind: 'user.updated' });
    expect(changed).toHaveLength(1);
    await admin.made('/users', { name: 'Later' });
    const after = all.at(-1).id;
    const [later] = await eventually(
      () => admin.read('/events', { after }),
      (events: any[]) => events.length === 1,
    );
    expect(later.object.name).toBe('Later');
  });

  it.each([{ after: 'f'.repeat(24) }, { page: 1 }])('goes not with %j', async (query) => {
    const { status, body } = await world.admin.get('/events', { newest: true, ...query } as any);
    expect([status, body.errors[0].path]).toEqual([422, 'newest']);
  });
});

describe('GET /events', () => {
  it('holds every event once, in order, as its delivery shows it except for the url', async () => {
    const receiver = await world.receiver();
    for (const kind of ['user.created', 'user.updated', 'user.deleted']) {
      await world.admin.made('/webhooks', { event_type: kind, endpoint: receiver.url });
    }
    const { id, client } = await world.user({ name: 'One', metadata: { $gt: 1, 'a.b': { $date: 1 } } });
    await client.put(`/users/${id}`, { name: 'Two' });
    await client.put(`/users/${id}`, { name: 'Two' });
    await client.put(`/users/${id}`, { name: 'Three' });
    await world.admin.delete(`/users/${id}`);
    const log = await logged(4, { object: id });
    expect(log.map(({ kind, sequence }) => [kind, sequence])).toEqual([
      ['user.created', 1],
      ['user.updated', 2],
      ['user.updated', 3],
      ['user.deleted', 4],
    ]);
    expect(log[1].previous_data).toEqual({ name: 'One' });
    expect(log[0].object.metadata).toEqual({ $gt: 1, 'a.b': { $date: 1 } });
    await receiver.until(() => receiver.messages.length === 4);
    for (const event of log) {
      const sent = receiver.messages.find((one) => one.json.id === event.id);
      const { url, ...rest } = sent!.json;
      expect(url).toBe(receiver.url);
      expect(rest).toEqual(event);
      expect(JSON.stringify(rest)).toBe(JSON.stringify(event));
    }
  });

  it('loses none of many concurrent events, and repeats none', async () => {
    const users = await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        world.admin.made('/users', { name: `Crowd ${String(index)}` }),
      ),
    );
    const log = await logged(60, { kind: 'user.created' });
    const ids = log.map(({ object }) => object._id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const user of users) expect(ids).toContain(idIn(user));
  });

  it('keeps the events of one object in their order during concurrent changes', async () => {
    const { id } = await world.user();
    const changes = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        world.admin.put(`/users/${id}`, { name: `Name ${String(index)}` }),
      ),
    );
    // Some requests may lose the race repeatedly and report it.
    const done = changes.filter(({ status }) => status === 200).length;
    const log = await logged(1 + done, { object: id });
    expect(log).toHaveLength(1 + done);
    expect(log.map(({ sequence }) => sequence)).toEqual(log.map((_, index) => index + 1));
    const last = await world.admin.read(`/users/${id}`);
    expect(log.at(-1).object.name).toBe(last.name);
    for (let index = 1; index < log.length; index += 1) {
      expect(log[index].previous_data).toEqual({ name: log[index - 1].object.name });
    }
  });

  it('continues after the event named by after', async () => {
    const log = await whole();
    const middle = Math.floor(log.length / 2);
    const rest: any[] = await world.admin.read('/events', { after: log[middle].id, size: 100 });
    expect(rest.map(({ id }) => id)).toEqual(log.slice(middle + 1, middle + 101).map(({ id }) => id));
    expect(await world.admin.read('/events', { after: log.at(-1).id })).toEqual([]);
  });

  it('never counts, but reports whether there is more', async () => {
    const log = await whole({ kind: 'user.created' });
    const response = await world.admin.get('/events', { kind: 'user.created', size: 1 });
    expect(log.length).toBeGreaterThan(1);
    expect(response.headers['x-total-count']).toBeUndefined();
    expect(response.headers['link']).toContain('rel="next"');
    expect((await world.admin.get('/events', { total: true })).status).toBe(422);
  });

  it.each([
    { kind: 'user.born' },
    { object: 'x' },
    { after: 'x' },
    { after: 'f'.repeat(24) },
    { size: '0' },
    { size: '101' },
    { sort: 'body' },
    { sort: 'created' },
    { sort: '-created' },
    { unknown: '1' },
  ])('refuses %j', async (query) => {
    expect((await world.admin.get('/events', query as unknown as Record<string, string>)).status).toBe(422);
  });

  it('is for admins, and shows nothing of another company', async () => {
    const { client } = await world.user();
    expect((await client.get('/events')).status).toBe(403);
    const stranger = (await world.stranger()).admin;
    expect(await whole({}, stranger)).toEqual([]);
    const [first] = await whole();
    expect((await stranger.get(`/events/${String(first.id)}`)).status).toBe(404);
    expect((await stranger.post(`/events/${String(first.id)}/replay`)).status).toBe(404);
    expect((await stranger.get('/events', { after: first.id })).status).toBe(422);
  });
});

describe('GET /events/<id>', () => {
  it('shows one', async () => {
    const [first] = await whole();
    expect(await world.admin.read(`/events/${String(first.id)}`)).toEqual(first);
    expect((await world.admin.get('/events/nothing')).status).toBe(404);
  });
});
