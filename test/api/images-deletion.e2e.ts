import { getConnectionToken } from '@nestjs/mongoose';
import { Images } from '@commerce/catalog';
import { idIn, type Client } from '@commerce/testing';
import { parseId, type Id } from '@commerce/records';
import type { Connection } from 'mongoose';

import { World } from '../world.js';
import { PNG, contentOf, made, pngOf, sampleOf, upload } from './image-files.js';

let world: World;
beforeAll(async () => {
  world = await World.start({ worker: false, env: { IMAGE_QUOTA_MB_PER_COMPANY: '4' } });
  await world.admin.changed('/company', { customers: { quota: { bytes: MIB + 4 * KIB } } });
});
afterAll(() => world.stop());

const KIB = 1024;
const MIB = 1024 * KIB;
const PRODUCT = { name: 'Tea', price: 1, currency: 'EUR' };

const database = (): Connection => world.api.get<Connection>(getConnectionToken());

async function used(owner: string): Promise<number | undefined> {
  const id = parseId(owner)!;
  return (await database().collection<{ bytes: number }>('image_usage').findOne({ _id: id }))?.bytes;
}

/** The bytes that count for the content of a user's images: its usage without the records. */
async function content(user: string): Promise<number> {
  const id = parseId(user)!;
  const found = await database()
    .collection<{ user: Id; sys: { counted?: { own: number } } }>('images')
    .find({ user: id })
    .toArray();
  const usage = await database().collection<{ bytes: number }>('customer_usage').findOne({ _id: id });
  return found.reduce((sum, { sys }) => sum - (sys.counted?.own ?? 0), usage?.bytes ?? 0);
}

const refusal = async (sent: Promise<{ status: number; body: any }>): Promise<unknown[]> => {
  const { status, body } = await sent;
  return [status, body.code];
};

describe('The images of a user', () => {
  it('take no more room than its quota, and leave the rest to the company', async () => {
    const { client, id } = await world.user();
    await made(client, await pngOf(600 * KIB));
    const refused = await upload(client, await pngOf(600 * KIB));
    expect([refused.status, refused.body.code]).toEqual([422, 'customer.quota_exceeded']);
    expect(await content(id)).toBe(600 * KIB);
    await made(world.admin, await pngOf(1100 * KIB));
  }, 60_000);

  it('never exceed it with concurrent uploads', async () => {
    const { client, id } = await world.user();
    const bytes = await pngOf(40 * KIB);
    const others = await pngOf(1000 * KIB);
    const all = await Promise.all([bytes, bytes, others, bytes].map((one) => upload(client, one)));
    const kept = all.filter(({ status }) => status === 200);
    expect(kept.length).toBeLessThan(all.length);
    const sizes = kept.map(({ body }) => body.size as number);
    const total = sizes.reduce((sum, size) => sum + size, 0);
    expect(await content(id)).toBe(total);
    expect(total).toBeLessThanOrEqual(MIB);
    for (const { body } of kept) await client.delete(`/images/${idIn(body)}`);
    expect(await content(id)).toBe(0);
  }, 60_000);
});

describe('DELETE /images/<id>', () => {
  it('frees the room of user and company, and removes the content', async () => {
    const company = world.company.toHexString();
    const { client, id } = await world.user();
    const before = await used(company);
    const image = idIn(await made(client, await pngOf(200 * KIB)));
    expect([await content(id), await used(company)]).toEqual([200 * KIB, before! + 200 * KIB]);
    const { status, body } = await client.delete(`/images/${image}`);
    expect([status, body.deleted, body._cls]).toEqual([200, true, 'Image']);
    expect([await content(id), await used(company)]).toEqual([0, before]);
    expect((await contentOf(world.baseUrl, image)).status).toBe(404);
    for (const [files, field] of [
      ['image_content.files', '_id'],
      ['image_content.chunks', 'files_id'],
      ['image_uploads', '_id'],
    ] as const)
      expect(
        await database()
          .collection(files)
          .countDocuments({ [field]: parseId(image)! }),
      ).toBe(0);
  });

  it('shows the record to admins only, and takes effect once', async () => {
    const { client, id } = await world.user();
    const image = idIn(await made(client));
    const keyed = client.with({ 'idempotency-key': 'delete-once' });
    await keyed.delete(`/images/${image}`);
    expect((await keyed.delete(`/images/${image}`)).body.deleted).toBe(true);
    expect(await refusal(client.delete(`/images/${image}`))).toEqual([404, 'image.not_found']);
    expect(await refusal(world.anonymous.get(`/images/${image}`))).toEqual([404, 'image.not_found']);
    expect(await refusal(client.get(`/images/${image}`))).toEqual([404, 'image.not_found']);
    expect((await world.admin.read(`/images/${image}`)).deleted).toBe(true);
    expect(await content(id)).toBe(0);
  });

  it("is for the user's own images, and for admins", async () => {
    const [owner, other] = [await world.user(), await world.user()];
    const image = idIn(await made(owner.client));
    const byAdmin = idIn(await made(world.admin));
    const stranger = await world.stranger();
    for (const caller of [other.client, stranger.admin])
      expect(await refusal(caller.delete(`/images/${image}`))).toEqual([404, 'image.not_found']);
    expect(await refusal(owner.client.delete(`/images/${byAdmin}`))).toEqual([404, 'image.not_found']);
    expect((await world.anonymous.delete(`/images/${image}`)).status).toBe(401);
    expect((await world.admin.delete(`/images/${image}`)).status).toBe(200);
    expect(await content(owner.id)).toBe(0);
  });

  it('refuses an image that invoices show as the logo of the seller, for good', async () => {
    const logo = idIn(await made(world.admin));
    const address = { line1: 'Teestraße 1', country: 'DE' };
    await world.admin.changed('/company', { seller: { name: 'Teehaus GmbH', address, logo } });
    await world.admin.changed('/company', { seller: null });
    expect(await refusal(world.admin.delete(`/images/${logo}`))).toEqual([409, 'image.in_use']);
    expect((await world.anonymous.get(`/images/${logo}`)).status).toBe(200);
  });

  it('refuses an image that a product or a resource shows, until none does', async () => {
    const { client } = await world.user();
    const image = idIn(await made(client));
    const free = async (caller: Client, path: string, change: object): Promise<void> => {
      expect(await refusal(client.delete(`/images/${image}`))).toEqual([409, 'image.in_use']);
      await caller.changed(path, change);
    };
    const product = idIn(await world.admin.made('/products', { ...PRODUCT, image }));
    await free(world.admin, `/products/${product}`, { image: null, media: [{ image }] });
    await free(world.admin, `/products/${product}`, { media: [] });
    const resource = idIn(await client.made('/resources', { name: 'Mine', image }));
    await free(client, `/resources/${resource}`, { image: null });
    const gone = idIn(await world.admin.made('/products', { ...PRODUCT, image }));
    await world.admin.delete(`/products/${gone}`);
    expect((await client.delete(`/images/${image}`)).status).toBe(200);
    for (const path of ['/products', '/resources']) {
      const refused = await world.admin.post(path, {
        ...(path === '/products' ? PRODUCT : { name: 'R' }),
        image,
      });
      expect([refused.status, refused.body.code]).toEqual([422, 'image.unknown']);
    }
  });

  it('leaves no variant behind that is made concurrently', async () => {
    const image = idIn(await made(world.admin, await sampleOf('image/png', 600, 400)));
    const variants = [64, 128, 256].map((width) =>
      contentOf(world.baseUrl, image, {}, { width: String(width) }),
    );
    const [deleted, ...seen] = await Promise.all([world.admin.delete(`/images/${image}`), ...variants]);
    expect(deleted.status).toBe(200);
    for (const { status } of seen) expect([200, 404]).toContain(status);
    const left = database().collection<{ _id: string }>('image_variants');
    expect(await left.countDocuments({ _id: { $regex: `^${image}/` } })).toBe(0);
  });

  it('is finished by the sweep when the process died before the content was removed', async () => {
    const image = idIn(await made(world.admin, PNG.bytes));
    const id = parseId(image)!;
    await database()
      .collection('images')
      .updateOne({ _id: id }, { $set: { deleted: true } });
    const began = new Date(Date.now() - 2 * 3_600_000);
    await database().collection('image_uploads').insertOne({ _id: id, began });
    await world.get(Images).sweep();
    expect(await database().collection('image_content.files').countDocuments({ _id: id })).toBe(0);
    expect(await database().collection('image_uploads').countDocuments({ _id: id })).toBe(0);
  });
});
