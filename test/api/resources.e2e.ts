import { idIn, type Client } from '@commerce/testing';

import { World } from '../world.js';
import { PNG, made } from './image-files.js';

let world: World;
const VAN = { name: 'Van 7' };

beforeAll(async () => {
  world = await World.start({ worker: false });
});
afterAll(() => world.stop());

const paths = (body: { errors: { path: string }[] }): string[] => body.errors.map(({ path }) => path);

describe('POST /resources', () => {
  it('creates an asset, with its fields in the documented order', async () => {
    const { status, body } = await world.admin.post('/resources', VAN);
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual([
      ...['_id', 'company', '_cls', 'method', 'user', 'name', 'description', 'image', 'product', 'tags'],
      ...['human_id', 'reference_id', 'status', 'deleted', 'created', 'modified'],
    ]);
    expect(body).toMatchObject({
      company: { $oid: world.company.toHexString() },
      _cls: 'Resource.Asset',
      method: 'asset',
      user: null,
      name: 'Van 7',
      tags: [],
      human_id: expect.stringMatching(/^[2-9A-HJKMNP-Z]{6}$/),
      status: 'CREATED',
      deleted: false,
      modified: body.created,
    });
  });

  it('creates a retail item with the prices of a product', async () => {
    const [bell, lamp] = [
      await world.admin.made('/products', { name: 'Bell', price: 10, currency: 'EUR', main_product: false }),
      await world.admin.made('/products', {
        ...{ name: 'Lamp', price: 19.99, currency: 'EUR', main_product: false },
        discount: 0.25,
      }),
    ];
    const bike = await world.admin.made('/products', {
      ...{ name: 'Bike', price: 500, currency: 'EUR', vat: 0.19, discount: 0.1 },
      sub_products: [idIn(bell), idIn(lamp)],
    });
    const retail = await world.admin.made('/resources', {
      ...{ name: 'Bike no. 1', method: 'retail', product: idIn(bike) },
    });
    expect(Object.keys(retail).slice(14)).toEqual([
      ...['_sub_products', 'base_price', 'retail_price', 'currency', 'vat', 'created', 'modified'],
    ]);
    expect(retail).toMatchObject({
      _cls: 'Resource.Retail',
      product: bike._id,
      _sub_products: [bell._id, lamp._id],
      base_price: 529.99,
      retail_price: 474.99,
      currency: 'EUR',
      vat: 0.19,
    });
    const id = idIn(retail);
    await world.admin.put(`/products/${idIn(bike)}`, { price: 600 });
    expect((await world.admin.put(`/resources/${id}`, { status: 'utilized' })).body).toMatchObject({
      status: 'UTILIZED',
      base_price: 529.99,
    });
    const again = await world.admin.put(`/resources/${id}`, {
      product: idIn(bike),
      sub_products: [idIn(lamp)],
    });
    expect(again.body).toMatchObject({ _sub_products: [lamp._id], base_price: 619.99, retail_price: 554.99 });
  });

  it.each<[string, object, string]>([
    ['no name', { name: undefined }, 'name'],
    ['an unknown kind', { method: 'rental' }, 'method'],
    ['an unknown status', { status: 'GONE' }, 'status'],
    ['a retail item without product', { method: 'retail' }, 'product'],
    ['a product that does not exist', { product: '65b9a1c2d3e4f5061728394a' }, 'product'],
    ['an image that does not exist', { image: '65b9a1c2d3e4f5061728394a' }, 'image'],
    ['a user that does not exist', { user: '65b9a1c2d3e4f5061728394a' }, 'user'],
    ['a field that the service sets', { base_price: 1 }, 'base_price'],
    ['another company as owner', { company: '65b9a1c2d3e4f5061728394a' }, 'company'],
    ['a deletion', { deleted: true }, 'deleted'],
    ['an id of its own', { _id: '65b9a1c2d3e4f5061728394a' }, '_id'],
    ['a short id of its own', { human_id: 'ABC234' }, 'human_id'],
    ['a name with a lone surrogate', { name: 'a\ud83d' }, 'name'],
    ['a name with NUL', { name: 'a\0' }, 'name'],
    ['an operator', { name: { $gt: '' } }, 'name'],
  ])('refuses %s', async (_, values, path) => {
    const { status, body } = await world.admin.post('/resources', { ...VAN, ...values });
    expect(status).toBe(422);
    expect(paths(body)).toEqual([path]);
  });

  it('refuses records of another company', async () => {
    const { admin } = await world.stranger();
    const product = idIn(await admin.made('/products', { name: 'Tea', price: 1, currency: 'EUR' }));
    const user = idIn(await admin.made('/users', { name: 'Eve' }));
    const foreign = { product, user, image: idIn(await made(admin, PNG.bytes, 'van.png')) };
    const id = idIn(await world.admin.made('/resources', VAN));
    for (const { status, body } of [
      await world.admin.post('/resources', { ...VAN, ...foreign }),
      await world.admin.put(`/resources/${id}`, foreign),
      await world.admin.post('/resources/bulk', [{ ...VAN, ...foreign }]),
    ]) {
      expect(status).toBe(422);
      expect(paths(body).map((path) => path.replace('0.', ''))).toEqual(['user', 'image', 'product']);
    }
  });
});

describe('the image of a resource', () => {
  it('is a URL, an id or an object, depending on the version', async () => {
    const picture = await made(world.admin, PNG.bytes, 'van.png');
    const id = idIn(await world.admin.made('/resources', { ...VAN, image: idIn(picture) }));
    const at = (version: string): Client => world.admin.with({ 'X-Service-Version': version });
    for (const read of [
      async (version: string) => at(version).read(`/resources/${id}`),
      async (version: string) => (await at(version).put(`/resources/${id}`, { status: 'IDLE' })).body,
      async (version: string) => (await at(version).read('/resources/search', { query: id }))[0],
    ]) {
      const oldest = await read('2019-09-01');
      expect([oldest.image_url, 'image' in oldest]).toEqual([picture.url, false]);
      expect((await read('2019-09-10')).image).toEqual(picture._id);
      expect((await read('2019-09-18')).image).toEqual({
        ...{ _id: picture._id, url: picture.url, name: 'van.png', content_type: 'image/png' },
        ...{ width: picture.width, height: picture.height, size: picture.size },
      });
    }
    const bulk = await at('2019-02-01').made('/resources/bulk', [{ ...VAN, image_url: picture.url }]);
    expect(bulk[0].image_url).toBe(picture.url);
    expect((await world.admin.put(`/resources/${id}`, { image: null })).body.image).toBeNull();
  });
});

describe('PUT and DELETE /resources/<id>', () => {
  it('are 404 for unknown, foreign and deleted ones', async () => {
    const { admin } = await world.stranger();
    const gone = idIn(await world.admin.made('/resources', VAN));
    expect((await world.admin.delete(`/resources/${gone}`)).body.deleted).toBe(true);
    expect((await world.admin.get(`/resources/${gone}`)).body.deleted).toBe(true);
    for (const id of [gone, idIn(await admin.made('/resources', VAN)), 'x', '__proto__']) {
      expect((await world.admin.put(`/resources/${id}`, { name: 'x' })).status).toBe(404);
      expect((await world.admin.delete(`/resources/${id}`)).status).toBe(404);
    }
  });

  it('hide a deleted one from its user', async () => {
    const { client } = await world.user();
    const id = idIn(await client.made('/resources', VAN));
    await world.admin.delete(`/resources/${id}`);
    expect((await client.get(`/resources/${id}`)).status).toBe(404);
  });

  it('never change the method', async () => {
    const id = idIn(await world.admin.made('/resources', VAN));
    const { status, body } = await world.admin.put(`/resources/${id}`, { method: 'retail' });
    expect([status, paths(body)]).toEqual([422, ['method']]);
  });

  it('lose no concurrent change', async () => {
    const id = idIn(await world.admin.made('/resources', VAN));
    const changes = [{ name: 'n' }, { description: 'd' }, { reference_id: 'r' }, { status: 'IDLE' }];
    const answers = await Promise.all(changes.map((change) => world.admin.put(`/resources/${id}`, change)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(await world.admin.read(`/resources/${id}`)).toMatchObject(Object.assign({}, ...changes));
  });
});
