import { idIn, type Client } from '@commerce/testing';

import { World } from '../world.js';
import { PNG, made } from './image-files.js';

const SHOWN = ['_id', 'url', 'name', 'content_type', 'width', 'height', 'size'];
const object = (image: Record<string, unknown>): object =>
  Object.fromEntries(SHOWN.map((name) => [name, image[name]]));

let world: World;

beforeAll(async () => {
  world = await World.start({ worker: false });
});
afterAll(() => world.stop());

describe('an image of a product', () => {
  const TEA = { name: 'Tea', price: 1, currency: 'EUR' };

  it('is shown as an Image object everywhere', async () => {
    const { admin } = await world.stranger();
    const image = await made(admin, PNG.bytes, 'tea.png');
    const product = await admin.made('/products', { ...TEA, tags: ['hot'], image: idIn(image) });
    const id = idIn(product);
    expect(product.image).toEqual(object(image));
    expect(Object.keys(product.image)).toEqual(SHOWN);
    expect(await admin.read(`/products/${id}`)).toEqual(product);
    expect(await admin.read('/products')).toEqual([product]);
    expect(await admin.read('/products/search', { query: 'tea' })).toEqual([product]);
    expect(await admin.read('/products/tags', { tags: 'hot' })).toEqual([product]);
    expect((await admin.put(`/products/${id}`, { active: true })).body.image).toEqual(object(image));
    expect((await admin.put(`/products/${id}`, { image: null })).body.image).toBeNull();
    expect((await admin.put(`/products/${id}`, { image: idIn(image) })).body.image).toEqual(object(image));
  });

  it('becomes a complete medium', async () => {
    const image = await made(world.admin, PNG.bytes, 'tea.png');
    const given = [{ image: idIn(image) }, { image: idIn(image), kind: 'image', name: 'front' }];
    const { media, ...product } = await world.admin.made('/products', { ...TEA, media: given });
    const medium = (name: string): object => ({
      kind: 'image',
      url: image.url,
      name,
      human_id: expect.stringMatching(/^[2-9A-HJKMNP-Z]{6}$/),
    });
    expect(media).toEqual([medium('tea.png'), medium('front')]);
    const sent = [...media, { image: idIn(image) }];
    const updated = await world.admin.put(`/products/${idIn(product)}`, { media: sent });
    expect(updated.body.media).toEqual([...media, medium('tea.png')]);
  });

  it("cannot be another company's", async () => {
    const { admin } = await world.stranger();
    const image = idIn(await made(admin, PNG.bytes, 'a.png'));
    const id = idIn(await world.admin.made('/products', TEA));
    for (const [values, path] of [
      [{ image }, 'image'],
      [{ media: [{ image }] }, 'media.0.image'],
    ] as const) {
      for (const { status, body } of [
        await world.admin.post('/products', { ...TEA, ...values }),
        await world.admin.put(`/products/${id}`, values),
      ]) {
        expect([status, body.code, body.errors[0].path]).toEqual([422, 'image.unknown', path]);
      }
    }
  });
});

describe('X-Service-Version and the image of a product', () => {
  const at = (version: string): Client => world.admin.with({ 'X-Service-Version': version });

  it.each([
    ['/products', { price: 1, currency: 'EUR' }],
    ['/resources', { method: 'asset' }],
  ])('has the version of the repeated request: POST %s', async (path, more) => {
    const image = await made(world.admin, PNG.bytes, 'tea.png');
    const body = { name: 'T', image: idIn(image), ...more };
    const asked = async (version: string): Promise<any> => {
      const headers = { 'Idempotency-Key': `version-${path}`, 'X-Service-Version': version };
      const reply = await world.admin.with(headers).post(path, body);
      expect([reply.status, reply.headers['x-service-version']]).toEqual([200, version]);
      return reply;
    };
    const first = await asked('2019-09-02');
    expect(first.body.image).toEqual(image._id);
    const second = await asked('2019-09-18');
    expect(second.headers['idempotent-replayed']).toBe('true');
    expect(second.body).toEqual({ ...first.body, image: object(image) });
    const oldest = { ...first.body, image_url: image.url };
    delete oldest.image;
    expect((await asked('2019-02-01')).body).toEqual(oldest);
    expect((await asked('2019-09-02')).body).toEqual(first.body);
  });

  it('shows a URL, an id or an object', async () => {
    const image = await made(world.admin);
    const id = idIn(await world.admin.made('/products', { name: 'T', price: 1, currency: 'EUR' }));
    await world.admin.put(`/products/${id}`, { image: idIn(image) });
    for (const one of [
      async (version: string) => at(version).read(`/products/${id}`),
      async (version: string) => (await at(version).put(`/products/${id}`, { path: '/' })).body,
      async (version: string) => (await at(version).read('/products/search', { query: id }))[0],
    ]) {
      const oldest = await one('2019-09-01');
      expect(oldest.image_url).toBe(image.url);
      expect(oldest).not.toHaveProperty('image');
      const second = await one('2019-09-10');
      expect(second.image).toEqual(image._id);
      expect(second).not.toHaveProperty('image_url');
      expect((await one('2019-09-18')).image).toMatchObject({ _id: image._id, width: PNG.width });
    }
  });

  it('shows null for a product without one', async () => {
    const id = idIn(await world.admin.made('/products', { name: 'T', price: 1, currency: 'EUR' }));
    expect((await at('2019-09-01').read(`/products/${id}`)).image_url).toBeNull();
    for (const version of ['2019-09-10', '2019-09-18']) {
      expect((await at(version).read(`/products/${id}`)).image).toBeNull();
    }
  });

  it('is set by its URL in the oldest version', async () => {
    const image = await made(world.admin);
    const body = { name: 'T', price: 1, currency: 'EUR', image_url: image.url };
    const product = await at('2019-02-01').made('/products', body);
    expect(product.image_url).toBe(image.url);
    expect((await world.admin.read(`/products/${idIn(product)}`)).image._id).toEqual(image._id);
    const taken = await at('2019-09-01').put(`/products/${idIn(product)}`, { image_url: null });
    expect(taken.body.image_url).toBeNull();
    expect((await world.admin.post('/products', body)).body.errors[0].path).toBe('image_url');
  });

  it('is refused by name in the oldest version when the URL is not that of an image of this service', async () => {
    const image = await made(world.admin);
    const unknown = `/images/${'f'.repeat(24)}/content`;
    const refused = [
      'https://elsewhere.example/tea.png',
      `https://elsewhere.example${image.url}`,
      unknown,
      '',
    ];
    const oldest = at('2019-02-01');
    const id = idIn(await world.admin.made('/products', { name: 'T', price: 1, currency: 'EUR' }));
    for (const image_url of refused) {
      const product = { name: 'T', price: 1, currency: 'EUR', image_url };
      const resource = { name: 'R', image_url };
      for (const [{ status, body }, path] of [
        [await oldest.post('/products', product), 'image_url'],
        [await oldest.put(`/products/${id}`, { image_url }), 'image_url'],
        [await oldest.post('/resources', resource), 'image_url'],
        [await oldest.post('/resources/bulk', [{ name: 'R' }, resource]), '1.image_url'],
      ] as const) {
        expect([status, body.errors.map((error: { path: string }) => error.path)]).toEqual([422, [path]]);
        expect(body.errors[0].message).toContain('image_url is not the address of an image');
      }
    }
    expect((await oldest.read(`/products/${id}`)).image_url).toBeNull();
    const own = await oldest.post('/products', {
      name: 'T',
      price: 1,
      currency: 'EUR',
      image_url: image.url,
    });
    expect(own.body.image_url).toBe(image.url);
  });
});
