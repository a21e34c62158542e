import { Database } from '@commerce/data';
import { idIn } from '@commerce/testing';

import { World } from '../world.js';

let world: World;
const MACHINE = { name: 'Espresso machine', price: 249.9, currency: 'EUR' };

beforeAll(async () => {
  world = await World.start({ worker: false });
});
afterAll(() => world.stop());

const paths = (body: { errors: { path: string }[] }): string[] => body.errors.map(({ path }) => path);

describe('POST /products', () => {
  it('replies with the whole record, in the order of the interface', async () => {
    const { status, body } = await world.admin.post('/products', { ...MACHINE, discount: 0.25, vat: 0.24 });
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual([
      ...[
        '_id',
        'company',
        '_cls',
        'name',
        'human_id',
        'currency',
        'price',
        'discount',
        'final_price',
        'vat',
        'tax_category',
        'tax_supply',
      ],
      ...['description', 'short_description', 'main_product', '_sub_products', 'parents', 'tags'],
      ...['properties', 'media', 'image', 'path', 'external_reference', 'attributes', 'active', 'deleted'],
      ...[
        'quantity_step',
        'company_take',
        'max_distance',
        'default_position',
        'business_rules',
        'created',
        'modified',
      ],
    ]);
    expect(body).toMatchObject({
      company: { $oid: world.company.toHexString() },
      _cls: 'Product',
      human_id: expect.stringMatching(/^[2-9A-HJKMNP-Z]{6}$/),
      final_price: 187.43,
      main_product: true,
      _sub_products: [],
      parents: [],
      path: '/',
      active: false,
      deleted: false,
      properties: {},
      media: [],
      image: null,
    });
    expect(body.created).toEqual({ $date: expect.any(Number) });
    expect(body.modified).toEqual(body.created);
  });

  it('can be read again as it was made', async () => {
    const made = await world.admin.made('/products', {
      ...MACHINE,
      active: true,
      tags: ['kitchen', 'steam'],
      media: [{ kind: 'IMAGE', url: 'https://shop.example/a.png', name: 'front' }],
      external_reference: 'SKU-1',
      default_position: [13.4, 52.5],
      max_distance: 1000,
      business_rules: [{ only: 'indoors' }],
    });
    expect(await world.anonymous.read(`/products/${idIn(made)}`)).toEqual(made);
    expect(made.media).toEqual([
      {
        kind: 'image',
        url: 'https://shop.example/a.png',
        name: 'front',
        human_id: expect.stringMatching(/^[2-9A-HJKMNP-Z]{6}$/),
      },
    ]);
  });

  it('keeps properties byte for byte', async () => {
    const properties = JSON.parse(
      '{"__proto__":{"a":1},"constructor":{"prototype":1},"$gt":"","a.b":{"$oid":"65b9a1c2d3e4f5061728394a"},' +
        '"toString":null,"when":{"$date":5},"":[0.1,{"hasOwnProperty":true}]}',
    ) as object;
    const made = await world.admin.post('/products', { ...MACHINE, active: true, properties });
    const text = JSON.stringify(properties);
    expect(made.text).toContain(`"properties":${text}`);
    expect((await world.anonymous.get(`/products/${idIn(made.body)}`)).text).toContain(
      `"properties":${text}`,
    );
  });

  it.each<[string, object, string]>([
    ['more decimals than the currency has', { price: 2.675, currency: 'USD' }, 'price'],
    ['decimals in a currency without', { price: 100.5, currency: 'JPY' }, 'price'],
    ['a step that cards cannot take', { price: 1.005, currency: 'BHD' }, 'price'],
    ['a currency that is none', { currency: 'XXQ' }, 'currency'],
    ['a discount above 1', { discount: 1.0001 }, 'discount'],
    ['a negative VAT', { vat: -0.01 }, 'vat'],
    ['a number as text', { price: '10' }, 'price'],
    ['a position off the earth', { default_position: [0, 91] }, 'default_position'],
    ['a distance around the earth', { max_distance: 1e12 }, 'max_distance'],
    ['an image that does not exist', { image: '65b9a1c2d3e4f5061728394a' }, 'image'],
    [
      'an image in media that does not exist',
      { media: [{ image: '65b9a1c2d3e4f5061728394a' }] },
      'media.0.image',
    ],
    ['a field of the service', { final_price: 1 }, 'final_price'],
    ['somebody else as owner', { company: '65b9a1c2d3e4f5061728394a' }, 'company'],
    ['an attribute without a template', { attributes: { colour: 'red' } }, 'attributes.colour'],
    ['too many tags', { tags: Array.from({ length: 101 }, String) }, 'tags'],
    ['a long name', { name: 'x'.repeat(257) }, 'name'],
  ])('refuses %s', async (_, values, path) => {
    const { status, body } = await world.admin.post('/products', { ...MACHINE, ...values });
    expect(status).toBe(422);
    expect(paths(body)).toEqual([path]);
  });

  it('is for admins', async () => {
    const { client } = await world.user();
    expect((await client.post('/products', MACHINE)).status).toBe(403);
    expect((await world.anonymous.post('/products', MACHINE)).status).toBe(401);
  });

  it('gives 50 concurrent products 50 short ids', async () => {
    const made = await Promise.all(
      Array.from({ length: 50 }, () => world.admin.made<{ human_id: string }>('/products', MACHINE)),
    );
    expect(new Set(made.map((one) => one.human_id)).size).toBe(50);
  });
});

describe('the indexes of products', () => {
  it('are made again without harm, as with every start', async () => {
    await expect(world.get(Database).ensureIndexes()).resolves.toBeUndefined();
  });
});

describe('GET /products/<id>', () => {
  it('is 404 for unknown, malformed and foreign ids alike', async () => {
    const stranger = await world.stranger();
    const foreign = idIn(await stranger.admin.made('/products', MACHINE));
    for (const id of [foreign, '65b9a1c2d3e4f5061728394a', 'x', '__proto__']) {
      const { status, body } = await world.anonymous.get(`/products/${id}`);
      expect([status, body.code]).toEqual([404, 'product.not_found']);
    }
    expect((await world.admin.put(`/products/${foreign}`, { name: 'mine' })).status).toBe(404);
    expect((await world.admin.delete(`/products/${foreign}`)).status).toBe(404);
  });
});

describe('PUT /products/<id>', () => {
  it('changes the given fields and recomputes the price', async () => {
    const made = await world.admin.made('/products', { ...MACHINE, tags: ['a'], description: 'old' });
    const { body } = await world.admin.put(`/products/${idIn(made)}`, { discount: 0.5, active: true });
    expect(body).toEqual({
      ...made,
      discount: 0.5,
      final_price: 124.95,
      active: true,
      modified: { $date: expect.any(Number) },
    });
    expect(body.modified.$date).toBeGreaterThanOrEqual(made.modified.$date);
  });

  it('judges the price against the currency that it will have', async () => {
    const id = idIn(await world.admin.made('/products', MACHINE));
    const { status, body } = await world.admin.put(`/products/${id}`, { currency: 'JPY' });
    expect([status, paths(body)]).toEqual([422, ['price']]);
    expect((await world.admin.put(`/products/${id}`, { currency: 'JPY', price: 250 })).body.final_price).toBe(
      250,
    );
  });

  it('loses no concurrent change', async () => {
    const id = idIn(await world.admin.made('/products', { ...MACHINE, active: true }));
    const fields = ['name', 'description', 'short_description', 'path', 'external_reference'];
    const answers = await Promise.all(
      fields.map((field) => world.admin.put(`/products/${id}`, { [field]: 'new' })),
    );
    expect(answers.map(({ status }) => status)).toEqual(fields.map(() => 200));
    expect(await world.anonymous.read(`/products/${id}`)).toMatchObject(
      Object.fromEntries(fields.map((field) => [field, 'new'])),
    );
  });
});

describe('DELETE /products/<id>', () => {
  it('marks the product, which only admins can still read', async () => {
    const id = idIn(await world.admin.made('/products', MACHINE));
    expect((await world.admin.delete(`/products/${id}`)).body.deleted).toBe(true);
    expect((await world.admin.get(`/products/${id}`)).body.deleted).toBe(true);
    expect((await world.anonymous.get(`/products/${id}`)).status).toBe(404);
    expect((await world.admin.delete(`/products/${id}`)).status).toBe(404);
    expect((await world.admin.put(`/products/${id}`, { name: 'x' })).status).toBe(404);
  });
});
