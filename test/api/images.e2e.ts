import { request as httpRequest } from 'node:http';

import { IMAGE_TYPES, Images } from '@commerce/catalog';
import { newId } from '@commerce/records';
import { idIn } from '@commerce/testing';
import sharp from 'sharp';
import supertest from 'supertest';

import { ImageContentStore } from '../../libs/catalog/src/images/image-content.store.js';
import { World } from '../world.js';
import {
  JPEG,
  PNG,
  SAMPLE_IMAGES,
  contentOf,
  corrupted,
  made,
  pngOf,
  posting,
  sampleOf,
  upload,
  type Sent,
} from './image-files.js';

const MAX = 10 * 1024 * 1024;

let world: World;

beforeAll(async () => {
  world = await World.start({ worker: false });
});
afterAll(() => world.stop());

describe('POST /images', () => {
  it.each(SAMPLE_IMAGES.map((sample) => [sample.what, sample] as const))('takes %s', async (_, sample) => {
    const { bytes, ...said } = sample;
    const image = await made(world.admin, bytes, 'holiday photo.jpg');
    const { $oid: id } = image._id as { $oid: string };
    expect(image).toEqual({
      _id: { $oid: expect.stringMatching(/^[0-9a-f]{24}$/) },
      company: { $oid: world.company.toHexString() },
      _cls: 'Image',
      url: `/images/${id}/content`,
      name: 'holiday photo.jpg',
      content_type: said.content_type,
      width: said.width,
      height: said.height,
      size: bytes.length,
      created: { $date: expect.any(Number) },
      deleted: false,
      modified: image.created,
    });
    expect(Object.keys(image).slice(3, 9)).toEqual([
      ...['url', 'name', 'content_type', 'width', 'height', 'size'],
    ]);
    expect(await world.anonymous.read(`/images/${id}`)).toEqual(image);
    const { body, headers } = await contentOf(world.baseUrl, id);
    expect(bytes.equals(body)).toBe(true);
    expect(headers['content-type']).toBe(said.content_type);
  });

  it('depends on the bytes, not on the name or type sent with them', async () => {
    const sent = posting(world.admin).attach('file', JPEG.bytes, {
      filename: 'evil.html',
      contentType: 'text/html',
    });
    expect((await sent).body).toMatchObject({ content_type: 'image/jpeg', name: 'evil.html' });
  });

  it.each([
    ['a page', Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')],
    ['nothing', Buffer.alloc(0)],
    ['half a header', PNG.bytes.subarray(0, 20)],
  ])('refuses %s that poses as an image', async (_, bytes) => {
    const { status, body } = await posting(world.admin).attach('file', bytes, {
      filename: 'a.png',
      contentType: 'image/png',
    });
    expect([status, body.code, body.errors[0].path]).toEqual([422, 'image.unsupported', 'file']);
  });

  it.each(IMAGE_TYPES)('refuses a %s that is incomplete, or with only an intact header', async (type) => {
    const bytes = await sampleOf(type, 300, 200);
    for (const damaged of [bytes.subarray(0, bytes.length / 2), corrupted(type, bytes)]) {
      const { status, body } = await upload(world.admin, damaged);
      expect([status, body.code, body.errors[0].path]).toEqual([422, 'image.unsupported', 'file']);
    }
    expect((await made(world.admin, bytes)).content_type).toBe(type);
  });

  it('refuses a small file that holds a huge image', async () => {
    const bytes = await sharp({ create: { width: 10_000, height: 6000, channels: 3, background: '#123' } })
      .png()
      .toBuffer();
    expect(bytes.length).toBeLessThan(1024 * 1024);
    const { status, body } = await upload(world.admin, bytes);
    expect([status, body.code, body.errors[0].path]).toEqual([422, 'image.too_large', 'file']);
  });

  it('takes up to 10 MiB', async () => {
    expect((await made(world.admin, await pngOf(MAX))).size).toBe(MAX);
    const { status, body } = await upload(world.admin, await pngOf(MAX + 1));
    expect([status, body.code]).toEqual([413, 'body.too_large']);
  }, 60_000);

  it('stops reading a body of unknown length at the limit', async () => {
    const status = await new Promise((resolve, reject) => {
      const { apiKey, bearer } = world.admin.credentials;
      const sent = httpRequest(`${world.baseUrl}/images`, {
        method: 'POST',
        headers: {
          'X-Service-Api-Key': apiKey,
          Authorization: `Bearer ${String(bearer)}`,
          'Content-Type': 'multipart/form-data; boundary=x',
        },
      });
      sent.on('response', (response) => resolve(response.statusCode));
      sent.on('error', reject);
      sent.write('--x\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n');
      sent.write(PNG.bytes);
      for (let mebibyte = 0; mebibyte < 24; mebibyte += 1) sent.write(Buffer.alloc(1024 * 1024));
      sent.end('\r\n--x--\r\n');
    });
    expect(status).toBe(413);
  });

  it.each<[string, (sent: Sent) => Sent, [number, string, string | undefined]]>([
    ['no file', (sent) => sent, [422, 'value.invalid', 'file']],
    ['text instead of a file', (sent) => sent.field('file', 'x'), [422, 'value.invalid', 'file']],
    [
      'a file under another name',
      (sent) => sent.attach('image', PNG.bytes, 'a.png'),
      [422, 'value.invalid', 'image'],
    ],
    [
      'two files',
      (sent) => sent.attach('file', PNG.bytes, 'a.png').attach('file', PNG.bytes, 'b.png'),
      [422, 'value.invalid', 'file'],
    ],
    [
      'a field that the service sets',
      (sent) => sent.attach('file', PNG.bytes, 'a.png').field('company', 'x'),
      [422, 'value.invalid', 'company'],
    ],
    [
      'a field that would change prototypes',
      (sent) => sent.attach('file', PNG.bytes, 'a.png').field('__proto__[x]', 'x'),
      [422, 'value.invalid', '__proto__'],
    ],
    [
      'a long name',
      (sent) => sent.attach('file', PNG.bytes, `${'x'.repeat(257)}.png`),
      [422, 'value.invalid', 'file'],
    ],
    ['JSON', (sent) => sent.send({ file: 'x' }), [415, 'media_type.unsupported', undefined]],
    [
      'a body without its boundary',
      (sent) => sent.set('Content-Type', 'multipart/form-data').send('x'),
      [400, 'body.malformed', undefined],
    ],
    [
      'a body that ends in the middle',
      (sent) =>
        sent
          .set('Content-Type', 'multipart/form-data; boundary=x')
          .send('--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nabc'),
      [400, 'body.malformed', undefined],
    ],
  ])('refuses %s', async (_, send, expected) => {
    const { status, body } = await send(posting(world.admin));
    expect([status, body.code, body.errors[0]?.path]).toEqual(expected);
    expect(({} as { x?: string }).x).toBeUndefined();
  });

  it('keeps names in every script, without folders', async () => {
    expect((await made(world.admin, PNG.bytes, '写真 – Größe.png')).name).toBe('写真 – Größe.png');
    expect((await made(world.admin, PNG.bytes, '../../etc/passwd')).name).toBe('passwd');
  });

  it('is for users and admins', async () => {
    const { client } = await world.user();
    expect((await made(client, PNG.bytes, 'a.png')).company).toEqual({ $oid: world.company.toHexString() });
    expect((await upload(world.anonymous, PNG.bytes, 'a.png')).status).toBe(401);
  });

  it('takes effect once under an Idempotency-Key, and notices other content', async () => {
    const send = (bytes: Buffer, name: string): Sent =>
      posting(world.admin, { 'Idempotency-Key': 'upload-1' }).attach('file', bytes, name);
    const first = await send(PNG.bytes, 'a.png');
    const again = await send(PNG.bytes, 'a.png');
    expect(again.body).toEqual(first.body);
    expect(again.headers['idempotent-replayed']).toBe('true');
    for (const [bytes, name] of [
      [JPEG.bytes, 'a.png'],
      [PNG.bytes, 'b.png'],
    ] as const) {
      const { status, body } = await send(bytes, name);
      expect([status, body.code]).toEqual([422, 'idempotency_key.reused']);
    }
  });
});

describe('GET /images/<id>', () => {
  it('needs the API key of the company that has it', async () => {
    const id = idIn(await made(world.admin));
    const stranger = await world.stranger();
    expect((await stranger.admin.get(`/images/${id}`)).body.code).toBe('image.not_found');
    expect((await stranger.admin.get('/images/x')).status).toBe(404);
    expect((await supertest(world.baseUrl).get(`/images/${id}`)).status).toBe(401);
  });

  it('has an id that cannot be guessed from another', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 4; count += 1) ids.push(idIn(await made(world.admin)));
    expect(new Set(ids.map((id) => id.slice(0, 16))).size).toBe(4);
  });
});

describe('an upload that was interrupted before its record was written', () => {
  const read = async (id: ReturnType<typeof newId>): Promise<number> => {
    let length = 0;
    for await (const chunk of world.get(ImageContentStore).read(id, 0, 1)) length += (chunk as Buffer).length;
    return length;
  };

  it('is removed when it is old, and no other is', async () => {
    const contents = world.get(ImageContentStore);
    const [old, recent] = [newId(), newId()];
    const kept = await made(world.admin);
    const { company } = world;
    await contents.write({ _id: old, company }, PNG.bytes, new Date(Date.now() - 2 * 3_600_000));
    await contents.write({ _id: recent, company }, PNG.bytes, new Date());
    await world.get(Images).sweep();
    await expect(read(old)).rejects.toThrow('FileNotFound');
    expect(await read(recent)).toBe(1);
    expect((await contentOf(world.baseUrl, idIn(kept))).status).toBe(200);
  });
});
