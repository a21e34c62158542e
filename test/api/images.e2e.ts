import { createHash } from 'node:crypto';
import { request as httpRequest } from 'node:http';

import { Images } from '@commerce/catalog';
import { newId } from '@commerce/platform';
import { idIn, type Client } from '@commerce/testing';
import supertest, { type Response } from 'supertest';

import { ImageContentStore } from '../../libs/catalog/src/images/image-content.store.js';
import { SAMPLE_IMAGES } from '../../libs/catalog/src/images/images.spec-data.js';
import { World } from '../world.js';

let world: World;
const [PNG, JPEG] = SAMPLE_IMAGES as [(typeof SAMPLE_IMAGES)[0], (typeof SAMPLE_IMAGES)[0]];
const MAX = 10 * 1024 * 1024;

beforeAll(async () => {
  world = await World.start({ worker: false });
});
afterAll(() => world.stop());

type Sent = ReturnType<ReturnType<typeof supertest>['post']>;

function posting(caller: Client, headers: Record<string, string> = {}): Sent {
  const { apiKey, bearer } = caller.credentials;
  const sent = supertest(caller.baseUrl).post('/images').set('X-Service-Api-Key', apiKey).set(headers);
  return bearer === undefined ? sent : sent.set('Authorization', `Bearer ${bearer}`);
}

async function upload(bytes: Buffer, name = 'photo.png', caller = world.admin): Promise<Response> {
  return posting(caller).attach('file', bytes, name);
}

async function made(bytes: Buffer = PNG.bytes, name = 'photo.png', caller = world.admin): Promise<any> {
  const { status, body } = await upload(bytes, name, caller);
  if (status !== 200) throw new Error(`${String(status)} ${JSON.stringify(body)}`);
  return body;
}

/** An image of this many bytes: what follows the header is nobody's business here. */
function large(bytes: number): Buffer {
  const image = Buffer.alloc(bytes);
  for (let at = 0; at < bytes; at += 1) image[at] = (at * 31 + (at >> 8)) % 251;
  PNG.bytes.copy(image);
  return image;
}

const content = (id: string, headers: Record<string, string> = {}): Promise<Response> =>
  supertest(world.baseUrl)
    .get(`/images/${id}/content`)
    .set(headers)
    .buffer(true)
    .parse((response, done) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => done(null, Buffer.concat(chunks)));
    });

describe('POST /images', () => {
  it.each(SAMPLE_IMAGES.map((sample) => [sample.what, sample] as const))('takes %s', async (_, sample) => {
    const { bytes, ...said } = sample;
    const image = await made(bytes, 'holiday photo.jpg');
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
      modified: image.created,
    });
    expect(Object.keys(image).slice(3, 9)).toEqual([
      ...['url', 'name', 'content_type', 'width', 'height', 'size'],
    ]);
    expect(await world.anonymous.read(`/images/${id}`)).toEqual(image);
    const { body, headers } = await content(id);
    expect(bytes.equals(body)).toBe(true);
    expect(headers['content-type']).toBe(said.content_type);
  });

  it('believes the bytes, not the name or the type that comes with them', async () => {
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
  ])('refuses %s that calls itself an image', async (_, bytes) => {
    const { status, body } = await posting(world.admin).attach('file', bytes, {
      filename: 'a.png',
      contentType: 'image/png',
    });
    expect([status, body.code, body.errors[0].path]).toEqual([422, 'image.unsupported', 'file']);
  });

  it('takes up to 10 MiB', async () => {
    expect((await made(large(MAX))).size).toBe(MAX);
    const { status, body } = await upload(large(MAX + 1));
    expect([status, body.code]).toEqual([413, 'body.too_large']);
  }, 60_000);

  it('cuts off what does not say how large it is', async () => {
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
    ['a text in its place', (sent) => sent.field('file', 'x'), [422, 'value.invalid', 'file']],
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
      'a field of the service',
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
    expect((await made(PNG.bytes, '写真 – Größe.png')).name).toBe('写真 – Größe.png');
    expect((await made(PNG.bytes, '../../etc/passwd')).name).toBe('passwd');
  });

  it('is for users and admins', async () => {
    const { client } = await world.user();
    expect((await made(PNG.bytes, 'a.png', client)).company).toEqual({ $oid: world.company.toHexString() });
    expect((await upload(PNG.bytes, 'a.png', world.anonymous)).status).toBe(401);
  });

  it('takes effect once under an Idempotency-Key, and tells other content from the same', async () => {
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
    const id = idIn(await made());
    const stranger = await world.stranger();
    expect((await stranger.admin.get(`/images/${id}`)).body.code).toBe('image.not_found');
    expect((await stranger.admin.get('/images/x')).status).toBe(404);
    expect((await supertest(world.baseUrl).get(`/images/${id}`)).status).toBe(401);
  });

  it('has an id that does not follow from another', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 4; count += 1) ids.push(idIn(await made()));
    expect(new Set(ids.map((id) => id.slice(0, 16))).size).toBe(4);
  });
});

describe('GET /images/<id>/content', () => {
  const bytes = large(700_000);
  let id: string;

  beforeAll(async () => {
    id = idIn(await made(bytes));
  });

  it('needs no header, and lets nothing but the image be made of it', async () => {
    const answer = await content(id);
    expect(answer.status).toBe(200);
    expect(bytes.equals(answer.body)).toBe(true);
    expect(answer.headers).toMatchObject({
      etag: `"${createHash('sha256').update(bytes).digest('hex')}"`,
      'content-type': 'image/png',
      'content-length': '700000',
      'accept-ranges': 'bytes',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-disposition': 'inline',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'cross-origin',
    });
  });

  it('tells no more than the head when that is asked for', async () => {
    const { status, headers, text } = await supertest(world.baseUrl).head(`/images/${id}/content`);
    expect([status, headers['content-length'], text]).toEqual([200, '700000', undefined]);
  });

  it('is not sent again to who has it', async () => {
    const { etag } = (await content(id)).headers as { etag: string };
    for (const condition of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      const { status, body } = await content(id, { 'If-None-Match': condition });
      expect([status, (body as Buffer).length]).toEqual([304, 0]);
    }
    expect((await content(id, { 'If-None-Match': '"x"' })).status).toBe(200);
  });

  it.each([
    ['bytes=0-0', 0, 1],
    ['bytes=100-199', 100, 200],
    ['bytes=261119-261120', 261_119, 261_121],
    ['bytes=600000-', 600_000, 700_000],
    ['bytes=-5', 699_995, 700_000],
    ['bytes=699999-9999999', 699_999, 700_000],
    ['bytes=10-19,20-29', 10, 30],
  ])('gives the part %s', async (Range, start, end) => {
    const { status, body, headers } = await content(id, { Range });
    expect([status, headers['content-range']]).toEqual([
      206,
      `bytes ${String(start)}-${String(end - 1)}/700000`,
    ]);
    expect(headers['content-length']).toBe(String(end - start));
    expect(bytes.subarray(start, end).equals(body)).toBe(true);
  });

  it.each(['bytes=700000-', 'bytes=9-8', 'bytes=-0'])('has no part %s', async (Range) => {
    const { status, body, headers } = await content(id, { Range });
    expect([status, headers['content-range'], (body as Buffer).length]).toEqual([416, 'bytes */700000', 0]);
    expect(headers['cache-control']).toBe('no-store');
  });

  it.each(['bytes=0-1,5-6', 'lines=1-2', 'bytes', 'bytes=a-b,'])(
    'is given whole when %s is asked for',
    async (Range) => {
      const { status, headers } = await content(id, { Range });
      expect([status, headers['content-length']]).toEqual([200, '700000']);
    },
  );

  it('gives a part only of the content that the caller knows', async () => {
    const { etag } = (await content(id)).headers as { etag: string };
    const Range = 'bytes=0-9';
    expect((await content(id, { Range, 'If-Range': etag })).status).toBe(206);
    expect((await content(id, { Range, 'If-Range': '"x"' })).status).toBe(200);
    expect((await content(id, { Range, 'If-None-Match': etag })).status).toBe(304);
  });

  it('is 404 for what there is not', async () => {
    for (const unknown of ['65b9a1c2d3e4f5061728394a', 'x', '__proto__']) {
      const answer = await supertest(world.baseUrl).get(`/images/${unknown}/content`);
      expect([answer.status, answer.body.code]).toEqual([404, 'image.not_found']);
    }
  });
});

describe('an image of a product', () => {
  const TEA = { name: 'Tea', price: 1, currency: 'EUR' };
  const SHOWN = ['_id', 'url', 'name', 'content_type', 'width', 'height', 'size'];
  const object = (image: Record<string, unknown>): object =>
    Object.fromEntries(SHOWN.map((name) => [name, image[name]]));

  it('shows as an Image object everywhere', async () => {
    const { admin } = await world.stranger();
    const image = await made(PNG.bytes, 'tea.png', admin);
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

  it('makes whole media of it', async () => {
    const image = await made(PNG.bytes, 'tea.png');
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

  it("is not another company's", async () => {
    const { admin } = await world.stranger();
    const image = idIn(await made(PNG.bytes, 'a.png', admin));
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

  it('shows an address, an id, an object', async () => {
    const image = await made();
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

  it('shows nothing where there is none', async () => {
    const id = idIn(await world.admin.made('/products', { name: 'T', price: 1, currency: 'EUR' }));
    expect((await at('2019-09-01').read(`/products/${id}`)).image_url).toBeNull();
    for (const version of ['2019-09-10', '2019-09-18']) {
      expect((await at(version).read(`/products/${id}`)).image).toBeNull();
    }
  });

  it('is set by its address in the oldest version', async () => {
    const image = await made();
    const body = { name: 'T', price: 1, currency: 'EUR', image_url: image.url };
    const product = await at('2019-02-01').made('/products', body);
    expect(product.image_url).toBe(image.url);
    expect((await world.admin.read(`/products/${idIn(product)}`)).image._id).toEqual(image._id);
    const taken = await at('2019-09-01').put(`/products/${idIn(product)}`, { image_url: null });
    expect(taken.body.image_url).toBeNull();
    expect((await world.admin.post('/products', body)).body.errors[0].path).toBe('image_url');
  });
});

describe('an upload that was cut off before its record was written', () => {
  const read = async (id: ReturnType<typeof newId>): Promise<number> => {
    let length = 0;
    for await (const chunk of world.get(ImageContentStore).read(id, 0, 1)) length += (chunk as Buffer).length;
    return length;
  };

  it('is taken away when it is old, and no other', async () => {
    const contents = world.get(ImageContentStore);
    const [old, recent] = [newId(), newId()];
    const kept = await made();
    await contents.write(old, PNG.bytes, new Date(Date.now() - 2 * 3_600_000));
    await contents.write(recent, PNG.bytes, new Date());
    await world.get(Images).sweep();
    await expect(read(old)).rejects.toThrow('FileNotFound');
    expect(await read(recent)).toBe(1);
    expect((await content(idIn(kept))).status).toBe(200);
  });
});
