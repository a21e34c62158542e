import { request, type ClientRequest } from 'node:http';

import { getConnectionToken } from '@nestjs/mongoose';
import { eventually, type Client } from '@commerce/testing';
import type { Connection } from 'mongoose';

import { World, type Merchant } from '../world.js';
import { PNG, contentOf, made, pngOf, upload } from './image-files.js';

let world: World;
beforeAll(async () => {
  world = await World.start({
    worker: false,
    env: {
      IMAGE_QUOTA_MB_PER_COMPANY: '1',
      IMAGE_UPLOADS_AT_ONCE: '3',
      IMAGE_UPLOADS_AT_ONCE_PER_COMPANY: '2',
    },
  });
});
afterAll(() => world.stop());

const KIB = 1024;
const database = (): Connection => world.api.get<Connection>(getConnectionToken());
const files = (): Promise<number> => database().collection('image_content.files').countDocuments();

describe('The images of a company', () => {
  it('take no more room than its quota, and a refused one takes none', async () => {
    const { admin } = await world.stranger();
    await made(admin, await pngOf(600 * KIB));
    const before = await files();
    const { status, body } = await upload(admin, await pngOf(600 * KIB));
    expect([status, body.code, body.errors[0].path]).toEqual([422, 'image.quota_exceeded', 'file']);
    expect(await files()).toBe(before);
    await made(admin, await pngOf(424 * KIB));
    expect((await upload(admin, PNG.bytes)).body.code).toBe('image.quota_exceeded');
    await made((await world.stranger()).admin);
  }, 60_000);

  it('count as well when they were there before the quota', async () => {
    const { admin, company } = await world.stranger();
    const image = await made(admin, await pngOf(600 * KIB));
    await database().collection('image_usage').deleteOne({ _id: company });
    expect((await upload(admin, await pngOf(600 * KIB))).body.code).toBe('image.quota_exceeded');
    expect((await contentOf(world.baseUrl, image._id.$oid)).status).toBe(200);
  });

  it('never exceed it with concurrent uploads', async () => {
    const { admin, company } = await world.stranger();
    const bytes = await pngOf(400 * KIB);
    const codes = async (): Promise<unknown> => (await upload(admin, bytes)).body.code ?? 'made';
    const said = (await Promise.all([codes(), codes()])).concat(await codes(), await codes());
    expect(said.filter((code) => code === 'made')).toHaveLength(2);
    const used = await database().collection('image_usage').findOne({ _id: company });
    expect(used).toMatchObject({ bytes: 800 * KIB });
  });
});

describe('A file that is refused', () => {
  it('leaves nothing in the database', async () => {
    const before = await files();
    expect((await upload(world.admin, Buffer.alloc(300_000, 'x'))).body.code).toBe('image.unsupported');
    expect((await upload(world.admin, PNG.bytes, `${'x'.repeat(257)}.png`)).status).toBe(422);
    expect(await files()).toBe(before);
    expect(await database().collection('image_uploads').countDocuments()).toBe(0);
  });
});

/** Starts an upload that never ends. */
async function begun({ baseUrl, credentials: { apiKey, bearer } }: Client): Promise<ClientRequest> {
  const sent = request(`${baseUrl}/images`, {
    method: 'POST',
    headers: {
      'X-Service-Api-Key': apiKey,
      Authorization: `Bearer ${String(bearer)}`,
      'Content-Type': 'multipart/form-data; boundary=x',
    },
  });
  sent.on('error', () => undefined);
  const before = await database().collection('image_uploads').countDocuments();
  sent.write('--x\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n');
  sent.write(PNG.bytes);
  await eventually(
    () => database().collection('image_uploads').countDocuments(),
    (count) => count > before,
  );
  return sent;
}

describe('Concurrent uploads', () => {
  it('are limited for a company and for the process, and the limit ends with them', async () => {
    const [first, second]: Merchant[] = [await world.stranger(), await world.stranger()];
    const slow = [await begun(first!.admin), await begun(first!.admin)];
    const own = await upload(first!.admin, PNG.bytes);
    expect([own.status, own.body.code, own.headers['retry-after']]).toEqual([429, 'rate.limited', '1']);
    slow.push(await begun(second!.admin));
    const any = await upload((await world.stranger()).admin, PNG.bytes);
    expect([any.status, any.body.code, any.headers['retry-after']]).toEqual([503, 'service.overloaded', '1']);
    for (const one of slow) one.destroy();
    const again = await eventually(
      () => upload(first!.admin, PNG.bytes),
      ({ status }) => status === 200,
    );
    expect(again.status).toBe(200);
    await eventually(
      () => database().collection('image_uploads').countDocuments(),
      (count) => count === 0,
    );
  }, 60_000);
});
