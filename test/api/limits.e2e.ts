import { connect } from 'node:net';

import { Keys } from '@commerce/identity';
import { Client, idIn } from '@commerce/testing';

import { World } from '../world.js';

let world: World;
beforeAll(async () => {
  world = await World.start({
    worker: false,
    env: {
      TRUST_PROXY: '1',
      AUTH_FAILURES_PER_MINUTE: '5',
      USER_RATE_LIMIT_PER_SECOND: '1',
      USER_RATE_LIMIT_BURST: '10',
      ADDRESS_RATE_LIMIT_PER_SECOND: '1',
      ADDRESS_RATE_LIMIT_BURST: '20',
      CARD_ATTEMPTS_PER_HOUR: '3',
      VERIFIES_PER_MINUTE_AND_HOST: '2',
      WEBHOOKS_PER_COMPANY: '3',
      REQUEST_TIMEOUT: '6s',
    },
  });
});
afterAll(() => world.stop());

const from = (client: Client, address: string): Client => client.with({ 'X-Forwarded-For': address });

/** The statuses of this many requests, each with its count. */
async function tried(
  times: number,
  send: () => Promise<{ status: number }>,
): Promise<Record<number, number>> {
  const counts: Record<number, number> = {};
  for (let index = 0; index < times; index += 1) {
    const { status } = await send();
    counts[status] = (counts[status] ?? 0) + 1;
  }
  return counts;
}

describe('failed credentials', () => {
  it('are refused before they are looked up, after too many from one address', async () => {
    const wrong = new Client(world.baseUrl, { apiKey: world.apiKey, bearer: 'sk_test_nothing' });
    const guesser = from(wrong, '203.0.113.1');
    expect(await tried(7, () => guesser.get('/users'))).toEqual({ 401: 5, 429: 2 });
    // Even a valid key that was never used is not looked up from there, which makes guessing useless.
    const { key } = await world.get(Keys).create(world.company, 'service', 'test');
    const unused = new Client(world.baseUrl, { apiKey: world.apiKey, bearer: key });
    expect((await from(unused, '203.0.113.1').get('/users')).status).toBe(429);
    expect((await from(unused, '203.0.113.2').get('/users')).status).toBe(200);
    // The key is now known as valid, and other callers at the address do not lock its owner out.
    expect((await from(unused, '203.0.113.1').get('/users')).status).toBe(200);
  });

  it('of IPv6 are counted by network', async () => {
    const wrong = new Client(world.baseUrl, { apiKey: world.apiKey, bearer: 'sk_test_nothing' });
    let host = 0;
    const counts = await tried(7, () => from(wrong, `2001:db8::${String((host += 1))}`).get('/users'));
    expect(counts).toEqual({ 401: 5, 429: 2 });
  });
});

describe('requests', () => {
  it('of one user do not use up the limit of others', async () => {
    const [ada, bob] = [await world.user(), await world.user()];
    const counts = await tried(20, () => from(ada.client, '203.0.113.10').get(`/users/${ada.id}`));
    expect(counts[429]).toBeGreaterThan(5);
    expect((await from(bob.client, '203.0.113.11').get(`/users/${bob.id}`)).status).toBe(200);
    expect((await from(world.admin, '203.0.113.10').get('/users')).status).toBe(200);
  });

  it('of one address are limited, without credentials too', async () => {
    const anybody = new Client(world.baseUrl, { apiKey: '' });
    const keys = await tried(30, () => from(anybody, '203.0.113.20').get('/.well-known/jwks.json'));
    expect(keys[429]).toBeGreaterThan(5);
    const shoppers = await tried(30, () => from(world.anonymous, '203.0.113.21').get('/products'));
    expect(shoppers[429]).toBeGreaterThan(5);
    expect((await from(world.anonymous, '203.0.113.22').get('/products')).status).toBe(200);
  });
});

describe('pages and documents', () => {
  it.each(['/docs', '/docs/swagger-ui.css', '/docs-json', '/.well-known/jwks.json', '/images/x/content'])(
    'are limited by address: %s',
    async (path) => {
      const anybody = new Client(world.baseUrl, { apiKey: '' });
      const address = `198.51.100.${String(path.length)}`;
      const counts = await tried(30, () => from(anybody, address).get(path));
      expect(counts[429]).toBeGreaterThan(3);
    },
  );
});

describe('requests without a route', () => {
  it.each([
    ['POST', '/nowhere/bulk', {}, 404],
    ['GET', '/users/1/2/3', {}, 404],
    ['PATCH', '/users', {}, 405],
    ['GET', '/users/%E0%A4%A', {}, 400],
    ['GET', '/users', { 'x-service-version': 'yesterday' }, 400],
  ])('are limited by address: %s %s', async (method, path, headers: Record<string, string>, status) => {
    const address = `198.51.100.${String(100 + path.length + method.length + Object.keys(headers).length)}`;
    const body = method === 'POST' ? { body: '[', headers: { 'content-type': 'application/json' } } : {};
    const counts = await tried(30, () =>
      fetch(`${world.baseUrl}${path}`, {
        ...body,
        method,
        headers: { ...body.headers, ...headers, 'x-forwarded-for': address },
      }),
    );
    expect(Object.keys(counts)).toEqual([String(status), '429']);
    expect(counts[429]).toBeGreaterThan(3);
  });
});

describe('a client that sends a byte now and then', () => {
  it('is disconnected', async () => {
    const socket = connect(Number(new URL(world.baseUrl).port), '127.0.0.1');
    // A space that arrives after the end resets the connection.
    const closed = new Promise((resolve) => socket.on('error', () => undefined).once('close', resolve));
    socket.resume();
    const started = performance.now();
    socket.write(
      `POST /users HTTP/1.1\r\nHost: localhost\r\nX-Service-Api-Key: ${world.apiKey}\r\n` +
        'Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n',
    );
    const dripping = setInterval(() => socket.write(' '), 200);
    await closed;
    clearInterval(dripping);
    // The server's own time-out, half a minute or more, would take more than twice as long.
    expect(performance.now() - started).toBeLessThan(12_000);
  });
});

describe('the verification of webhooks', () => {
  it('calls one host only so often, for any number of companies', async () => {
    const receiver = await world.receiver();
    const verified: boolean[] = [];
    for (let index = 0; index < 3; index += 1) {
      const { admin } = await world.stranger();
      const body = { event_type: 'user.created', endpoint: receiver.url };
      verified.push((await admin.made('/webhooks', body)).verified);
    }
    expect(verified).toEqual([true, true, false]);
  });
});

describe('webhooks of a company', () => {
  it('are limited in number, with concurrent requests too', async () => {
    const { admin } = await world.stranger();
    const receiver = await world.receiver();
    const body = { event_type: 'user.created', endpoint: receiver.url };
    const replies = await Promise.all(Array.from({ length: 8 }, () => admin.post('/webhooks', body)));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 200, 200, 409, 409, 409, 409, 409]);
    const refused = replies.find(({ status }) => status === 409);
    expect(refused?.body).toMatchObject({ code: 'webhook.too_many', limit: 3 });
    expect(await admin.read('/webhooks')).toHaveLength(3);
    const made = replies.find(({ status }) => status === 200);
    await admin.delete(`/webhooks/${idIn(made?.body)}`);
    expect((await admin.post('/webhooks', body)).status).toBe(200);
    expect((await admin.post('/webhooks', body)).status).toBe(409);
  });
});

describe('attempts with cards', () => {
  it('of one user are few', async () => {
    const { id, client } = await world.user();
    const shopper = from(client, '203.0.113.30');
    const save = { payment_method: 'stripe' };
    expect(await tried(5, () => shopper.post('/payment_methods', save))).toEqual({ 200: 3, 429: 2 });
    expect((await world.admin.post('/payment_methods', { ...save, user: id })).status).toBe(200);
  });
});
