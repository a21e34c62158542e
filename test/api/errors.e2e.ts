import { World } from '../world.js';

let world: World;
beforeAll(async () => {
  world = await World.start({ worker: false });
});
afterAll(async () => {
  await world.stop();
});

describe('Errors', () => {
  it('distinguish a wrong method from a wrong path', async () => {
    const wrong = await world.admin.delete('/users');
    expect([wrong.status, wrong.headers['allow'], wrong.body.code]).toEqual([
      405,
      'GET, POST',
      'method.not_allowed',
    ]);
    expect((await world.admin.get('/nothing')).body).toMatchObject({ status: 404, code: 'path.not_found' });
  });

  it('name every bad field, unknown ones too', async () => {
    const response = await world.admin.post('/users', { name: 7, email: 'no', company: 'x', _id: 'y' });
    expect(response.status).toBe(422);
    expect(response.body.errors.map((one: any) => one.path).sort()).toEqual([
      '_id',
      'company',
      'email',
      'name',
    ]);
  });

  it.each([
    ['half a surrogate pair', '{"name":"\\ud800"}', 422],
    ['NUL', '{"name":"a\\u0000b"}', 422],
    ['infinity', '{"metadata":{"n":1e400}}', 422],
    ['too deep a nesting', `{"metadata":${'['.repeat(40)}${']'.repeat(40)}}`, 422],
    ['a very deep nesting', `{"metadata":${'['.repeat(40_000)}${']'.repeat(40_000)}}`, 422],
    ['trailing junk', '{"name":"a"} x', 400],
    ['half a document', '{"name":', 400],
    ['a list', '[]', 422],
    ['a number', '7', 422],
    ['null', 'null', 422],
    ['more than 100 KiB', JSON.stringify({ name: 'x'.repeat(110_000) }), 413],
  ])('reply to a body with %s by a problem document', async (_what, body, status) => {
    const response = await fetch(`${world.baseUrl}/users`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-service-api-key': world.apiKey,
        authorization: `Bearer ${world.serviceKey}`,
      },
      body,
    });
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ status });
  });

  const many = (count: number, one: unknown): unknown[] => Array.from({ length: count }, () => one);
  const id = 'a'.repeat(24);
  const product = { name: 'Tea', price: 1, currency: 'EUR' };
  it.each([
    ['items of an order', '/orders', { items: many(101, { product: id, quantity: 1 }) }, 422, '100'],
    ['items of a plan', '/plans', { items: many(101, { product: id }) }, 422, '100'],
    ['sub-products', '/products', { ...product, sub_products: many(201, id) }, 422, '200'],
    ['media', '/products', { ...product, media: many(101, { kind: 'image', url: '/x' }) }, 422, '100'],
    ['tags', '/products', { ...product, tags: many(101, 'a') }, 422, '100'],
    ['long tags', '/products', { ...product, tags: ['a'.repeat(65)] }, 422, '64'],
    ['attributes', '/templates', { attributes: many(101, { key: 'a', kind: 'int' }) }, 422, '100'],
    ['resources in bulk', '/resources/bulk', many(501, { name: 'R' }), 422, '500'],
    ['characters of a name', '/users', { name: 'a'.repeat(257) }, 422, '256'],
    ['bytes of metadata', '/users', { metadata: { a: 'a'.repeat(66_000) } }, 422, '64 KiB'],
    ['bytes', '/users', { name: 'a'.repeat(110_000) }, 413, '100 KiB'],
    ['bytes in bulk', '/resources/bulk', [{ name: 'a'.repeat(1_100_000) }], 413, '1024 KiB'],
  ])('name the limit when there are too many %s', async (_what, path, body, status, limit) => {
    const refused = await world.admin.post(path, body);
    const messages = [refused.body.detail, ...refused.body.errors.map((one: any) => one.message)];
    expect([refused.status, messages.join(' ')]).toEqual([
      status,
      expect.stringMatching(new RegExp(`\\b${limit}\\b`)),
    ]);
  });

  it('refuse bodies that are not JSON', async () => {
    const response = await fetch(`${world.baseUrl}/users`, {
      method: 'POST',
      headers: {
        'content-type': 'text/plain',
        'x-service-api-key': world.apiKey,
        authorization: `Bearer ${world.serviceKey}`,
      },
      body: 'name=Ada',
    });
    expect(response.status).toBe(415);
  });
});
