import { getConnectionToken } from '@nestjs/mongoose';
import { idIn } from '@commerce/testing';
import type { Connection } from 'mongoose';

import { json } from '../cli/command-line.js';
import { Shop } from '../shop.js';
import { World } from '../world.js';
import { made as uploaded } from './image-files.js';

let world: World;
beforeAll(async () => {
  world = await World.start({ worker: false });
});
afterAll(() => world.stop());

const entriesOf = (record: string): Promise<any[]> => world.admin.read('/audit', { record });
const PRODUCT = { name: 'Kettle', price: 20, currency: 'EUR' };

describe('GET /audit', () => {
  it('reports who changed which record by which request, the newest first, without values', async () => {
    const id = idIn(await world.admin.made('/products', PRODUCT));
    const asked = world.admin.with({ 'x-request-id': 'request-of-the-audit' });
    await asked.changed(`/products/${id}`, { name: 'Pot', price: 25 });
    await world.admin.delete(`/products/${id}`);
    const credential = world.serviceKey.split('_')[2];
    const entries = await entriesOf(id);
    expect(entries).toMatchObject([
      { action: 'deleted', request: 'DELETE /products/:id' },
      { action: 'updated', request: 'PUT /products/:id', caller_request_id: 'request-of-the-audit' },
      { action: 'created', request: 'POST /products', fields: [], caller_request_id: null },
    ]);
    // An id of the caller's never stands where the service's own belongs.
    expect(entries[1].request_id).toMatch(/^[0-9a-f]{8}-/);
    expect(entries[1].fields.sort()).toEqual(['final_price', 'name', 'price']);
    for (const entry of entries)
      expect(entry).toMatchObject({ actor: 'admin', credential, kind: 'product', record: { $oid: id } });
    expect(JSON.stringify(entries)).not.toContain('Pot');
  });

  it('has a line for images, which come as a stream, and for tokens, which change nothing', async () => {
    const image = await uploaded(world.admin);
    expect(await entriesOf(idIn(image))).toMatchObject([{ action: 'created', request: 'POST /images' }]);
    const { id } = await world.user();
    expect(await entriesOf(id)).toMatchObject([{ action: 'token_issued' }, { action: 'created' }]);
  });

  it('omits the actions of customers and requests that change nothing', async () => {
    const { id, client } = await world.user({ name: 'Ada' });
    const before = await entriesOf(id);
    await client.changed(`/users/${id}`, { name: 'Grace' });
    await world.admin.changed(`/users/${id}`, { name: 'Grace' });
    expect(await entriesOf(id)).toEqual(before);
  });

  it('has the changes that users make to records without events, and names the user', async () => {
    const { id: credential, client } = await world.user();
    const template = await world.admin.made('/templates', { name: 'Tea', model: 'Product', attributes: [] });
    const resource = idIn(await client.made('/resources', { name: 'Mine' }));
    const image = idIn(await uploaded(client));
    const method = idIn(await client.made('/payment_methods', { payment_method: 'stripe' }));
    const asked = client.with({ 'x-request-id': 'request-of-a-user' });
    await asked.changed(`/templates/${idIn(template)}`, { name: 'Rewritten' });
    await client.changed(`/templates/${idIn(template)}`, { name: 'Rewritten' });
    await client.changed(`/resources/${resource}`, { status: 'IDLE', description: 'secret words' });
    await client.changed(`/payment_methods/${method}`, { payment_method_id: 'pm_card_visa' });
    await client.delete(`/payment_methods/${method}`);
    await client.delete(`/images/${image}`);

    const entries = await world.admin.read('/audit', { actor: 'user', credential });
    expect(entries).toHaveLength(8);
    for (const entry of entries) expect(entry).toMatchObject({ actor: 'user', credential });
    const [renamed, made] = await entriesOf(idIn(template));
    expect(renamed).toMatchObject({
      ...{ actor: 'user', credential, action: 'updated', kind: 'template', fields: ['name'] },
      ...{ request: 'PUT /templates/:id', caller_request_id: 'request-of-a-user' },
    });
    expect(made.actor).toBe('admin');
    const actionsOn = async (record: string): Promise<string[]> =>
      (await entriesOf(record)).map(({ action }) => action);
    expect(await actionsOn(resource)).toEqual(['updated', 'created']);
    expect(await actionsOn(image)).toEqual(['deleted', 'created']);
    expect(await actionsOn(method)).toEqual(['deleted', 'updated', 'created']);
    expect(JSON.stringify(entries)).not.toMatch(/secret words|pm_|_secret_/);
  });

  it('names the customer who saves a card on the page of a payment', async () => {
    const shop = new Shop(world);
    const buyer = await shop.buyer('authenticationRequired');
    const items = [{ product: await shop.product(), quantity: 1 }];
    const order = { items, user: buyer.id, payment_method: buyer.card };
    const { pay_url } = await world.admin.made('/orders', order);
    const opened = await fetch(`${world.baseUrl}${new URL(pay_url).pathname}/card`, { method: 'POST' });
    const { payment_method } = (await opened.json()) as { payment_method: string };
    expect(await entriesOf(payment_method)).toMatchObject([
      { actor: 'user', credential: buyer.id, action: 'created', request: 'POST /pay/:token/card' },
    ]);
  });

  it('is written in the commit of the change: a refused change leaves no line', async () => {
    const taken = { email: 'twice@example.com' };
    await world.admin.made('/users', taken);
    const { status } = await world.admin.post('/users', taken);
    expect(status).toBe(409);
    const users = await world.admin.get('/users', { size: 1, total: 'true' });
    const lines = await world.admin.get('/audit', { kind: 'user', size: 1 });
    const created = users.headers['x-total-count'];
    const entries = await world.admin.read('/audit', { kind: 'user', size: 100 });
    expect(entries.filter(({ action }: any) => action === 'created')).toHaveLength(Number(created));
    expect(lines.status).toBe(200);
  });

  it('has filters and pages by after', async () => {
    for (const name of ['A', 'B', 'C']) await world.admin.made('/resources', { name });
    const all = await world.admin.read('/audit', { kind: 'resource', actor: 'admin' });
    expect(all).toHaveLength(3);
    const rest = await world.admin.read('/audit', { kind: 'resource', actor: 'admin', after: idIn(all[0]) });
    expect(rest).toEqual(all.slice(1));
    expect(await world.admin.read('/audit', { actor: 'cli' })).toEqual([]);
  });

  it('is for admins, and for those of the company', async () => {
    const { client } = await world.user();
    expect((await client.get('/audit')).status).toBe(403);
    const stranger = await world.stranger();
    expect(await stranger.admin.read('/audit')).toEqual([]);
  });

  it('keeps its lines for 400 days', async () => {
    const db = world.api.get<Connection>(getConnectionToken());
    const indexes = await db.collection('audit_entries').indexes();
    expect(indexes.find(({ expireAfterSeconds: kept }) => kept !== undefined)).toMatchObject({
      key: { created: 1 },
      expireAfterSeconds: 400 * 86_400,
    });
  });

  it('reports the commands of the command line, and the account that ran them', async () => {
    const company = world.company.toHexString();
    const key = await json('key:create', '--company', company, '--kind', 'api');
    await json('key:revoke', '--company', company, '--key', key.id, '--yes');
    const entries = await entriesOf(key.id);
    expect(entries).toMatchObject([
      { actor: 'cli', action: 'updated', request: 'cli key:revoke', kind: 'key', fields: ['revoked'] },
      { actor: 'cli', action: 'created', request: 'cli key:create' },
    ]);
    expect(entries[0].credential).toMatch(/^.+@.+$/);
    expect(JSON.stringify(entries)).not.toContain(key.key.split('_')[3]);
  });
});
