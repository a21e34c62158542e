import { ProductStore, TemplateStore, TemplateValueRemover } from '@commerce/catalog';
import { parseId, newId, type Id } from '@commerce/records';
import { idIn, type Client } from '@commerce/testing';

import { World } from '../world.js';

let world: World;
const TEA = { name: 'Tea', price: 3, currency: 'EUR' };
const COLOUR = { key: 'colour', kind: 'string' };
const WEIGHT = { key: 'weight', kind: 'float' };
const TEMPLATE = { name: 'Goods', model: 'Product', attributes: [COLOUR, WEIGHT] };
const DAY = 86_400_000;

beforeAll(async () => {
  world = await World.start({ worker: false });
});
afterAll(() => world.stop());

const paths = (body: { errors: { path: string }[] }): string[] => body.errors.map(({ path }) => path);
const idText = (record: any): Id => parseId(idIn(record))!;

/** A separate company, because each has only one template. */
async function shop(template: object | null = TEMPLATE): Promise<{ admin: Client; made: any; company: Id }> {
  const { admin, company } = await world.stranger();
  return { admin, company, made: template && (await admin.made('/templates', template)) };
}

describe('POST /templates', () => {
  it('replies with the whole record, in the order of the interface', async () => {
    const { made, company } = await shop();
    expect(made).toEqual({
      _id: { $oid: expect.any(String) },
      company: { $oid: company.toHexString() },
      _cls: 'Template',
      name: 'Goods',
      model: 'Product',
      attributes: [COLOUR, WEIGHT].map((attribute) => ({
        ...attribute,
        human_id: expect.stringMatching(/^[2-9A-HJKMNP-Z]{6}$/),
      })),
      deleted: false,
      created: { $date: expect.any(Number) },
      modified: made.created,
    });
    expect(Object.keys(made).slice(3, 7)).toEqual(['name', 'model', 'attributes', 'deleted']);
    expect(Object.keys(made.attributes[0])).toEqual(['key', 'kind', 'human_id']);
  });

  it('is possible once per company and model, also concurrently', async () => {
    const { admin } = await shop(null);
    const answers = await Promise.all([1, 2, 3, 4].map(() => admin.post('/templates', TEMPLATE)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    const again = await admin.post('/templates', TEMPLATE);
    expect([again.status, again.body.code, paths(again.body)]).toEqual([
      409,
      'template.model_taken',
      ['model'],
    ]);
    await admin.delete(`/templates/${idIn((await admin.read('/templates'))[0])}`);
    expect((await admin.post('/templates', TEMPLATE)).status).toBe(200);
  });

  it.each<[string, object, string]>([
    ['another model', { model: 'Plan' }, 'model'],
    ['an unknown kind', { attributes: [{ key: 'a', kind: 'date' }] }, 'attributes.0.kind'],
    ['an attribute without key', { attributes: [{ kind: 'int' }] }, 'attributes.0.key'],
    ['an empty key', { attributes: [{ key: '', kind: 'int' }] }, 'attributes.0.key'],
    ['a key with NUL', { attributes: [{ key: 'a\0', kind: 'int' }] }, 'attributes.0.key'],
    ['a key twice', { attributes: [COLOUR, COLOUR] }, 'attributes.1.key'],
    ['a short id of its own', { attributes: [{ ...COLOUR, human_id: 'ABC234' }] }, 'attributes.0.human_id'],
    ['a template without name', { name: undefined }, 'name'],
    ['a deletion', { deleted: true }, 'deleted'],
    ['an inner field', { unset_until: 1 }, 'unset_until'],
  ])('refuses %s', async (_, values, path) => {
    const { status, body } = await world.admin.post('/templates', { ...TEMPLATE, ...values });
    expect([status, paths(body)]).toEqual([422, [path]]);
  });

  it('is for admins, as all but the change of one', async () => {
    const { client } = await world.user();
    for (const answer of [
      await client.post('/templates', TEMPLATE),
      await client.get('/templates'),
      await client.get('/templates/x'),
      await client.delete('/templates/x'),
    ]) {
      expect(answer.status).toBe(403);
    }
    expect((await client.put('/templates/x', {})).status).toBe(404);
  });
});

describe('PUT /templates/<id>', () => {
  it('changes the name and adds attributes', async () => {
    const { admin, made } = await shop();
    const id = idIn(made);
    expect((await admin.put(`/templates/${id}`, { name: 'Things' })).body).toMatchObject({
      name: 'Things',
      attributes: made.attributes,
    });
    const attributes = [...made.attributes, { key: 'size', kind: 'INT' }];
    const { body } = await admin.put(`/templates/${id}`, { attributes });
    expect(body.attributes.slice(0, 2)).toEqual(made.attributes);
    expect(body.attributes[2]).toEqual({ key: 'size', kind: 'int', human_id: expect.any(String) });
    expect(await admin.read(`/templates/${id}`)).toEqual(body);
    expect((await admin.made('/products', { ...TEA, attributes: { size: 3 } })).attributes).toEqual({
      size: 3,
    });
  });

  it('takes nothing out and turns nothing into something else', async () => {
    const { admin, made } = await shop();
    const [colour, weight] = made.attributes;
    for (const [body, path] of [
      [{ attributes: [colour] }, 'attributes'],
      [{ attributes: [colour, WEIGHT] }, 'attributes'],
      [{ attributes: [colour, { ...weight, kind: 'int' }] }, 'attributes.1.kind'],
      [{ attributes: [colour, { ...weight, key: 'mass' }] }, 'attributes.1.key'],
      [
        { attributes: [colour, weight, { ...COLOUR, key: 'x', human_id: 'ABCABC' }] },
        'attributes.2.human_id',
      ],
      [{ model: 'Product' }, 'model'],
    ] as const) {
      const { status, body: problem } = await admin.put(`/templates/${idIn(made)}`, body);
      expect([status, paths(problem)[0]]).toEqual([422, path]);
    }
    expect(await admin.read(`/templates/${idIn(made)}`)).toEqual(made);
  });

  it('is 404 for unknown, foreign and deleted ones', async () => {
    const [{ made: foreign }, { admin, made }] = [await shop(), await shop()];
    await admin.delete(`/templates/${idIn(made)}`);
    for (const id of [idIn(foreign), idIn(made), 'x']) {
      expect((await admin.put(`/templates/${id}`, { name: 'x' })).body.code).toBe('template.not_found');
      expect((await admin.delete(`/templates/${id}`)).status).toBe(404);
    }
    expect((await admin.read(`/templates/${idIn(made)}`)).deleted).toBe(true);
  });
});

describe('GET /templates', () => {
  it('shows those of fifteen days around today by default', async () => {
    const { admin, made } = await shop();
    expect(await admin.read('/templates')).toEqual([made]);
    await world
      .get(TemplateStore)
      .model.collection.updateOne(
        { _id: idText(made) },
        { $set: { created: new Date(Date.now() - 16 * DAY) } },
      );
    expect(await admin.read('/templates')).toEqual([]);
    expect(await admin.read('/templates', { from_date: 1 })).toHaveLength(1);
    expect(await admin.read('/templates', { date_filter: 'modified' })).toHaveLength(1);
    expect((await admin.get('/templates', { sort: 'model' })).status).toBe(422);
    await admin.delete(`/templates/${idIn(made)}`);
    expect(await admin.read('/templates', { from_date: 1 })).toEqual([]);
  });
});

describe('attributes of products', () => {
  it('have values by their kinds', async () => {
    const { admin } = await shop();
    const attributes = { weight: 0.5, colour: 'green' };
    const made = await admin.made('/products', { ...TEA, attributes });
    expect(JSON.stringify(made.attributes)).toBe(JSON.stringify(attributes));
    const id = idIn(made);
    expect((await admin.put(`/products/${id}`, { attributes: { colour: 'red' } })).body.attributes).toEqual({
      colour: 'red',
    });
    expect((await admin.put(`/products/${id}`, { name: 'x' })).body.attributes).toEqual({ colour: 'red' });
    for (const [values, path] of [
      [{ colour: 1 }, 'attributes.colour'],
      [{ weight: '1' }, 'attributes.weight'],
      [{ colour: 'red', size: 1 }, 'attributes.size'],
      [{ colour: null }, 'attributes.colour'],
    ] as const) {
      const { status, body } = await admin.put(`/products/${id}`, { attributes: values });
      expect([status, paths(body)]).toEqual([422, [path]]);
      expect((await admin.post('/products', { ...TEA, attributes: values })).status).toBe(422);
    }
    expect((await admin.put(`/products/${id}`, { attributes: [] })).status).toBe(422);
    expect((await admin.put(`/products/${id}`, { attributes: {} })).body.attributes).toEqual({});
  });

  it('keep every key as it is', async () => {
    const keys = ['__proto__', 'constructor', '$where', 'a.b'];
    const { admin } = await shop({ ...TEMPLATE, attributes: keys.map((key) => ({ key, kind: 'string' })) });
    const text = `{${keys.map((key) => `"${key}":"x"`).join()}}`;
    const made = await admin.post('/products', { ...TEA, attributes: JSON.parse(text) as object });
    expect(made.text).toContain(`"attributes":${text}`);
    expect((await admin.get(`/products/${idIn(made.body)}`)).text).toContain(`"attributes":${text}`);
  });

  it("are not another company's", async () => {
    await shop();
    const { admin } = await shop(null);
    const { status, body } = await admin.post('/products', { ...TEA, attributes: { colour: 'red' } });
    expect([status, body.code]).toEqual([422, 'attribute.unknown']);
  });
});

describe('DELETE /templates/<id>', () => {
  const values = (admin: Client): Promise<object[]> =>
    admin
      .read('/products', { size: 100, include_deleted: true })
      .then((products: { attributes: object }[]) => products.map(({ attributes }) => attributes));

  it('takes the values off all products, deleted ones too', async () => {
    const { admin, made } = await shop();
    const products = await Promise.all(
      ['red', 'green', 'blue'].map((colour) => admin.made('/products', { ...TEA, attributes: { colour } })),
    );
    await admin.delete(`/products/${idIn(products[0])}`);
    expect((await admin.delete(`/templates/${idIn(made)}`)).body.deleted).toBe(true);
    expect(await values(admin)).toEqual([{}, {}, {}]);
    const { body } = await admin.post('/products', { ...TEA, attributes: { colour: 'red' } });
    expect(body.code).toBe('attribute.unknown');
    expect((await admin.put(`/products/${idIn(products[1])}`, { name: 'still there' })).status).toBe(200);
  });

  it('takes them off thousands', async () => {
    const { admin, made, company } = await shop();
    const { collection } = world.get(ProductStore).model;
    const product = { company, template: idText(made), attributes: '{"colour":"red"}', deleted: false };
    await collection.insertMany(
      Array.from({ length: 1201 }, (_, index) => ({
        ...product,
        human_id: `M${String(index)}`,
        sys: { version: 1, events: 0 },
      })),
    );
    await admin.delete(`/templates/${idIn(made)}`);
    expect(await collection.countDocuments({ company, attributes: '{}', template: null })).toBe(1201);
  });

  it('is finished by the sweep when the request died half-way', async () => {
    const { admin, made, company } = await shop();
    const product = await admin.made('/products', { ...TEA, attributes: { colour: 'red' } });
    await admin.delete(`/templates/${idIn(made)}`);
    await world
      .get(ProductStore)
      .model.collection.updateOne(
        { _id: idText(product) },
        { $set: { template: idText(made), attributes: '{"colour":"red"}' } },
      );
    const next = await admin.made('/templates', { ...TEMPLATE, attributes: [COLOUR] });
    await admin.made('/products', { ...TEA, attributes: { colour: 'blue' } });
    expect(await values(admin)).toEqual([{ colour: 'blue' }, { colour: 'red' }]);
    await world.get(TemplateValueRemover).sweep();
    expect(await values(admin)).toEqual([{ colour: 'blue' }, {}]);
    expect(await world.get(TemplateStore).in(company).count({ deleted: true })).toBe(1);
    expect((await admin.read(`/templates/${idIn(next)}`)).deleted).toBe(false);
  });

  it('finds products written while it ran, and then ends', async () => {
    const { admin, made, company } = await shop();
    const creating = Array.from({ length: 20 }, () =>
      admin.post('/products', { ...TEA, attributes: { colour: 'red' } }),
    );
    await admin.delete(`/templates/${idIn(made)}`);
    for (const { status } of await Promise.all(creating)) expect([200, 422]).toContain(status);
    const late = idIn(await admin.made('/products', TEA));
    const { collection } = world.get(ProductStore).model;
    await collection.updateOne(
      { _id: parseId(late)! },
      { $set: { template: idText(made), attributes: '{"colour":"late"}' } },
    );
    await world.get(TemplateValueRemover).sweep();
    for (const one of await values(admin)) expect(one).toEqual({});
    const store = world.get(TemplateStore);
    const leaving = async (): Promise<boolean> =>
      (await store.withValuesToRemove(100)).some(({ company: owner }) => owner.equals(company));
    expect(await leaving()).toBe(true);
    await store.model.collection.updateOne({ _id: idText(made) }, { $set: { unset_until: new Date(1) } });
    await world.get(TemplateValueRemover).sweep();
    expect(await leaving()).toBe(false);
  });

  it('makes a concurrent writer of a product read it again', async () => {
    const { admin, company } = await shop();
    const made = await admin.made('/products', { ...TEA, attributes: { colour: 'red' } });
    const store = world.get(ProductStore);
    const before = await store.in(company).get(idIn(made));
    expect(await store.unsetAttributes(company, newId(), 10, new Date())).toBe(0);
    expect(await store.unsetAttributes(company, before.template!, 10, new Date())).toBe(1);
    expect((await store.in(company).get(idIn(made))).sys.version).toBe(before.sys.version + 1);
  });
});
