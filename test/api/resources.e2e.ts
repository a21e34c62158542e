import { idIn, type Client } from '@commerce/testing';
import supertest from 'supertest';

import { SAMPLE_IMAGES } from '../../libs/catalog/src/images/images.spec-data.js';
import { World } from '../world.js';

let world: World;
const VAN = { name: 'Van 7' };

beforeAll(async () => {
  world = await World.start({ worker: false });
});
afterAll(() => world.stop());

const paths = (body: { errors: { path: string }[] }): string[] => body.errors.map(({ path }) => path);
const names = (list: { name: string }[]): string[] => list.map(({ name }) => name);

async function image(caller: Client = world.admin): Promise<any> {
  const { apiKey, bearer } = caller.credentials;
  const { body } = await supertest(caller.baseUrl)
    .post('/images')
    .set({ 'X-Service-Api-Key': apiKey, Authorization: `Bearer ${String(bearer)}` })
    .attach('file', SAMPLE_IMAGES[0]!.bytes, 'van.png');
  return body;
}

describe('POST /resources', () => {
  it('makes an asset, shown in the order of the interface', async () => {
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

  it('makes a retail item with the prices of a product', async () => {
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
    ['a field of the service', { base_price: 1 }, 'base_price'],
    ['somebody else as owner', { company: '65b9a1c2d3e4f5061728394a' }, 'company'],
    ['a deletion', { deleted: true }, 'deleted'],
    ['an id of its own', { _id: '65b9a1c2d3e4f5061728394a' }, '_id'],
    ['a short id of its own', { human_id: 'ABC234' }, 'human_id'],
    ['a name with half a character', { name: 'a\ud83d' }, 'name'],
    ['a name with NUL', { name: 'a\0' }, 'name'],
    ['an operator', { name: { $gt: '' } }, 'name'],
  ])('refuses %s', async (_, values, path) => {
    const { status, body } = await world.admin.post('/resources', { ...VAN, ...values });
    expect(status).toBe(422);
    expect(paths(body)).toEqual([path]);
  });

  it("refuses what is another company's", async () => {
    const { admin } = await world.stranger();
    const product = idIn(await admin.made('/products', { name: 'Tea', price: 1, currency: 'EUR' }));
    const user = idIn(await admin.made('/users', { name: 'Eve' }));
    const foreign = { product, user, image: idIn(await image(admin)) };
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
  it('is an address, an id, an object, by version', async () => {
    const picture = await image();
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

describe('a user', () => {
  it('sees and changes only what is its own', async () => {
    const [ada, bob] = [await world.user(), await world.user()];
    const own = await ada.client.made('/resources', { name: "Ada's" });
    expect(own.user).toEqual({ $oid: ada.id });
    const [id, bobs] = [idIn(own), idIn(await bob.client.made('/resources', { name: "Bob's" }))];
    const ours = idIn(await world.admin.made('/resources', { name: 'ours' }));
    for (const other of [bobs, ours]) {
      expect((await ada.client.get(`/resources/${other}`)).body.code).toBe('resource.not_found');
      expect((await ada.client.put(`/resources/${other}`, { name: 'x' })).status).toBe(404);
    }
    expect(names(await ada.client.read('/resources'))).toEqual(["Ada's"]);
    expect(await ada.client.read('/resources/search', { query: bobs })).toEqual([]);
    expect(names(await ada.client.read('/resources/search', { query: "'s" }))).toEqual(["Ada's"]);
    expect((await ada.client.put(`/resources/${id}`, { name: 'mine' })).body.name).toBe('mine');
    expect(names(await world.admin.read('/resources', { size: 3 }))).toEqual(['ours', "Bob's", 'mine']);
  });

  it('gives nothing to others, and leaves some moves to admins', async () => {
    const [ada, bob] = [await world.user(), await world.user()];
    const id = idIn(await ada.client.made('/resources', { ...VAN, user: ada.id, status: 'PROCESSING' }));
    for (const [values, path] of [
      [{ user: bob.id }, 'user'],
      [{ user: null }, 'user'],
      [{ status: 'DONE' }, 'status'],
      [{ status: 'ON_THE_WAY_TO' }, 'status'],
    ] as const) {
      const { status, body } = await ada.client.put(`/resources/${id}`, values);
      expect([status, paths(body)]).toEqual([422, [path]]);
    }
    const status = 'DONE';
    expect((await ada.client.post('/resources', { ...VAN, status })).status).toBe(422);
    expect((await ada.client.post('/resources', { ...VAN, user: bob.id })).status).toBe(422);
    expect((await ada.client.made('/resources', { ...VAN, user: null })).user).toEqual({ $oid: ada.id });
    expect((await world.admin.put(`/resources/${id}`, { status: 'ON_THE_WAY_TO' })).body.status).toBe(
      'ON_THE_WAY_TO',
    );
    expect((await ada.client.put(`/resources/${id}`, { status: 'idle' })).body.status).toBe('IDLE');
    expect((await world.admin.put(`/resources/${id}`, { user: bob.id })).body.user).toEqual({ $oid: bob.id });
    expect((await ada.client.get(`/resources/${id}`)).status).toBe(404);
    expect((await bob.client.get(`/resources/${id}`)).status).toBe(200);
  });

  it('cannot delete, nor make many at once', async () => {
    const { client } = await world.user();
    const id = idIn(await client.made('/resources', VAN));
    expect((await client.delete(`/resources/${id}`)).status).toBe(403);
    expect((await client.post('/resources/bulk', [VAN])).status).toBe(403);
    expect((await world.anonymous.get('/resources')).status).toBe(401);
  });
});

describe('POST /resources/bulk', () => {
  it('makes all, in their order, 500 at most', async () => {
    const { admin } = await world.stranger();
    const items = Array.from({ length: 500 }, (_, index) => ({ name: `r${String(index)}` }));
    const made = await admin.made('/resources/bulk', items);
    expect(names(made)).toEqual(items.map(({ name }) => name));
    expect(new Set(made.map((one: { human_id: string }) => one.human_id)).size).toBe(500);
    expect((await admin.get('/resources')).headers['x-total-count']).toBe('500');
    const { status, body } = await admin.post('/resources/bulk', [...items, VAN]);
    expect([status, body.code]).toEqual([422, 'body.invalid']);
    expect(await admin.made('/resources/bulk', [])).toEqual([]);
    expect((await admin.post('/resources/bulk', VAN)).status).toBe(422);
  }, 30_000);

  it('makes none when one is wrong, and names every wrong one', async () => {
    const { admin } = await world.stranger();
    const { status, body } = await admin.post('/resources/bulk', [
      { name: 'good' },
      { name: 'bad', product: '65b9a1c2d3e4f5061728394a' },
      { name: '' },
      { name: 'good', method: 'retail' },
      'nothing',
      { name: 'good', used: 1 },
    ]);
    expect(status).toBe(422);
    expect(body.errors.map(({ path, code }: { path: string; code: string }) => [path, code])).toEqual([
      ['1.product', 'product.unknown'],
      ['2.name', 'value.invalid'],
      ['3.product', 'value.invalid'],
      ['4', 'body.invalid'],
      ['5.used', 'field.unknown'],
    ]);
    expect(await admin.read('/resources')).toEqual([]);
  });

  it('makes assets and retail items side by side', async () => {
    const tea = await world.admin.made('/products', { name: 'Tea', price: 3, currency: 'EUR' });
    const made = await world.admin.made('/resources/bulk', [
      { name: 'a', method: 'asset', product: idIn(tea) },
      { name: 'b', method: 'retail', product: idIn(tea) },
    ]);
    expect(made.map((one: { _cls: string }) => one._cls)).toEqual(['Resource.Asset', 'Resource.Retail']);
    expect(made[0]).not.toHaveProperty('base_price');
    expect(made[1].base_price).toBe(3);
    for (const one of made) expect(await world.admin.read(`/resources/${idIn(one)}`)).toEqual(one);
  });
});

describe('GET /resources', () => {
  it('filters by status and deletion, pages and sorts', async () => {
    const { admin } = await world.stranger();
    const made = await admin.made('/resources/bulk', [
      { name: 'b', status: 'IDLE' },
      { name: 'a', status: 'DONE' },
      { name: 'c' },
    ]);
    await admin.delete(`/resources/${idIn(made[2])}`);
    expect(names(await admin.read('/resources', { sort: 'name' }))).toEqual(['a', 'b']);
    expect(names(await admin.read('/resources', { sort: 'name', include_deleted: true }))).toEqual([
      'a',
      'b',
      'c',
    ]);
    expect(names(await admin.read('/resources', { status: 'done' }))).toEqual(['a']);
    expect(names(await admin.read('/resources', { sort: '-name', size: 1, page: 1 }))).toEqual(['a']);
    const next = await admin.read('/resources', { sort: 'name', size: 1, after: idIn(made[1]) });
    expect(names(next)).toEqual(['b']);
    const from_date = made[0].created.$date as number;
    expect(await admin.read('/resources', { from_date, to_date: from_date + 1 })).toHaveLength(2);
    expect(await admin.read('/resources', { to_date: from_date })).toEqual([]);
    expect(await admin.read('/resources', { page: 90 })).toEqual([]);
  });

  it.each<Record<string, string | number>>([
    { size: 0 },
    { size: 101 },
    { size: '0x10' },
    { page: 1e9 },
    { status: 'GONE' },
    { 'status[$ne]': 'DONE' },
    { sort: '$where' },
    { sort: '--name' },
    { from_date: 'NaN' },
    { to_date: '-1' },
    { user: 'x' },
  ])('refuses %j', async (query) => {
    expect((await world.admin.get('/resources', query)).status).toBe(422);
  });
});

describe('GET /resources/search', () => {
  it('looks into names, descriptions, ids of your own and addresses of images', async () => {
    const { admin } = await world.stranger();
    const picture = await image(admin);
    const [van, bike] = await admin.made('/resources/bulk', [
      { name: 'Delivery VAN', description: 'white, 3 seats', reference_id: 'FLEET-0007' },
      { name: 'Bike', image: idIn(picture) },
    ]);
    const found = async (query: string): Promise<string[]> =>
      names(await admin.read('/resources/search', { query }));
    expect(await found('very van')).toEqual(['Delivery VAN']);
    expect(await found('3 SEATS')).toEqual(['Delivery VAN']);
    expect(await found('fleet-00')).toEqual(['Delivery VAN']);
    expect(await found(picture.url)).toEqual(['Bike']);
    expect(await found(idIn(picture).slice(3))).toEqual(['Bike']);
    expect(await found(idIn(van).toUpperCase())).toEqual(['Delivery VAN']);
    expect(await found(bike.human_id)).toEqual(['Bike']);
    expect(await found('e')).toEqual(['Delivery VAN', 'Bike']);
    expect(await found('.*')).toEqual([]);
    expect(await world.admin.read('/resources/search', { query: idIn(van) })).toEqual([]);
    await admin.put(`/resources/${idIn(bike)}`, { image: null, name: 'Trike' });
    expect(await found(picture.url)).toEqual([]);
    expect(await found('trike')).toEqual(['Trike']);
    expect((await admin.get('/resources/search')).status).toBe(422);
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

  it('hides a deleted one from its user', async () => {
    const { client } = await world.user();
    const id = idIn(await client.made('/resources', VAN));
    await world.admin.delete(`/resources/${id}`);
    expect((await client.get(`/resources/${id}`)).status).toBe(404);
  });

  it('never changes the kind', async () => {
    const id = idIn(await world.admin.made('/resources', VAN));
    const { status, body } = await world.admin.put(`/resources/${id}`, { method: 'retail' });
    expect([status, paths(body)]).toEqual([422, ['method']]);
  });

  it('lose no change when many are made at once', async () => {
    const id = idIn(await world.admin.made('/resources', VAN));
    const changes = [{ name: 'n' }, { description: 'd' }, { reference_id: 'r' }, { status: 'IDLE' }];
    const answers = await Promise.all(changes.map((change) => world.admin.put(`/resources/${id}`, change)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(await world.admin.read(`/resources/${id}`)).toMatchObject(Object.assign({}, ...changes));
  });
});
