import { createHash } from 'node:crypto';

import { ImageVariantCache } from '../../libs/catalog/src/images/image-variant-cache.js';
import { ImageCodec } from '../../libs/catalog/src/images/image-codec.js';
import { ImageContentStore } from '../../libs/catalog/src/images/image-content.store.js';
import { ImageStore } from '../../libs/catalog/src/images/image.store.js';
import { IMAGE_TYPES, Images } from '@commerce/catalog';
import { UnitsOfWork } from '@commerce/data';
import { SystemClock } from '@commerce/platform';
import { newId, parseId } from '@commerce/records';
import { idIn } from '@commerce/testing';
import { getConnectionToken } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';
import sharp, { type Metadata } from 'sharp';
import supertest, { type Response } from 'supertest';

import { World } from '../world.js';
import { PNG, contentOf, made, noise, sampleOf } from './image-files.js';

let world: World;

beforeAll(async () => {
  world = await World.start({ worker: false });
});
afterAll(() => world.stop());

const variantOf = (id: string, width: number, headers: Record<string, string> = {}): Promise<Response> =>
  contentOf(world.baseUrl, id, headers, { width: String(width) });

const sizeOf = async (answer: Response): Promise<Metadata> => sharp(answer.body as Buffer).metadata();

const stored = (collection: string, filter: object = {}): Promise<number> =>
  world.api.get<Connection>(getConnectionToken()).collection(collection).countDocuments(filter);

/** The number of variants of an image. */
const variants = (id: string): Promise<number> =>
  stored('image_variants', { _id: { $regex: `^${id}/` } as never });

describe('GET /images/<id>/content?width=', () => {
  it.each(IMAGE_TYPES)('gives %s at the requested width, in its format', async (type) => {
    const bytes = await sampleOf(type, 600, 400);
    const id = idIn(await made(world.admin, bytes));
    const answer = await variantOf(id, 256);
    expect([answer.status, answer.headers['content-type']]).toEqual([200, type]);
    expect(await sizeOf(answer)).toMatchObject({ mediaType: type, width: 256, height: 171 });
    expect((answer.body as Buffer).length).toBeLessThan(bytes.length);
    expect((await world.anonymous.read(`/images/${id}`)).width).toBe(600);
  });

  it('rounds up to a few widths, and never enlarges', async () => {
    const bytes = await sampleOf('image/png', 600, 400);
    const id = idIn(await made(world.admin, bytes));
    for (const [asked, given] of [
      [1, 64],
      [64, 64],
      [300, 384],
      [512, 512],
    ] as const) {
      expect((await sizeOf(await variantOf(id, asked))).width).toBe(given);
    }
    for (const asked of [513, 600, 601, 2048]) {
      const { body } = await variantOf(id, asked);
      expect(bytes.equals(body as Buffer)).toBe(true);
    }
    expect(await variants(id)).toBe(3);
  });

  it('depends on the width at which the image is shown', async () => {
    const turned = await noise(600, 400).withMetadata({ orientation: 6 }).jpeg().toBuffer();
    const id = idIn(await made(world.admin, turned));
    expect(await sizeOf(await variantOf(id, 256))).toMatchObject({ width: 256, height: 384 });
    expect(turned.equals((await variantOf(id, 400)).body as Buffer)).toBe(true);
  });

  it.each([
    ['width=0', 'width value.invalid'],
    ['width=2049', 'width value.invalid'],
    ['width=', 'width value.invalid'],
    ['width=64&width=128', 'width value.invalid'],
    ['width[$gt]=1', 'width[$gt] field.unknown'],
    ['w=64', 'w field.unknown'],
    ['width=64&height=64', 'height field.unknown'],
  ])('refuses %s', async (query, error) => {
    const id = idIn(await made(world.admin));
    const { status, body } = await supertest(world.baseUrl).get(`/images/${id}/content?${query}`);
    expect([status, body.code]).toEqual([422, 'value.invalid']);
    expect(`${String(body.errors[0].path)} ${String(body.errors[0].code)}`).toBe(error);
  });

  it('is 404 for an unknown id', async () => {
    const answer = await supertest(world.baseUrl).get('/images/65b9a1c2d3e4f5061728394a/content?width=64');
    expect([answer.status, answer.body.code]).toEqual([404, 'image.not_found']);
  });
});

describe('a variant', () => {
  let id: string;
  let whole: Buffer;

  beforeAll(async () => {
    id = idIn(await made(world.admin, await sampleOf('image/png', 600, 400)));
    whole = (await variantOf(id, 256)).body as Buffer;
  });

  it('has the headers of an image, and an ETag of its own', async () => {
    const { headers } = await variantOf(id, 200);
    expect(headers).toMatchObject({
      etag: `"${createHash('sha256').update(whole).digest('hex')}"`,
      'content-type': 'image/png',
      'content-length': String(whole.length),
      'accept-ranges': 'bytes',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    });
    expect((await contentOf(world.baseUrl, id)).headers['etag']).not.toBe(headers['etag']);
  });

  it('is not sent again to a caller who has it', async () => {
    const { etag } = (await variantOf(id, 256)).headers as { etag: string };
    expect((await variantOf(id, 256, { 'If-None-Match': etag })).status).toBe(304);
    expect((await variantOf(id, 128, { 'If-None-Match': etag })).status).toBe(200);
  });

  it('is sent in parts', async () => {
    const { status, body, headers } = await variantOf(id, 256, { Range: 'bytes=10-99' });
    expect([status, headers['content-range']]).toEqual([206, `bytes 10-99/${String(whole.length)}`]);
    expect(whole.subarray(10, 100).equals(body as Buffer)).toBe(true);
    const beyond = await variantOf(id, 256, { Range: `bytes=${String(whole.length)}-` });
    expect([beyond.status, beyond.headers['content-range']]).toEqual([
      416,
      `bytes */${String(whole.length)}`,
    ]);
  });

  it('has a head', async () => {
    const { status, headers } = await supertest(world.baseUrl).head(`/images/${id}/content?width=256`);
    expect([status, headers['content-length']]).toEqual([200, String(whole.length)]);
  });

  it('is made once for concurrent requests', async () => {
    const image = idIn(await made(world.admin, await sampleOf('image/jpeg', 600, 400)));
    const files = await stored('image_content.files');
    const answers = await Promise.all(Array.from({ length: 20 }, () => variantOf(image, 128)));
    expect(new Set(answers.map(({ headers }) => headers['etag'])).size).toBe(1);
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    expect(await variants(image)).toBe(1);
    expect(await stored('image_content.files')).toBe(files + 1);
  });

  it('is made once by two concurrent processes', async () => {
    const record = await made(world.admin, await sampleOf('image/webp', 600, 400));
    const image = await world.get(ImageStore).in(world.company).get(idIn(record));
    const contents = world.get(ImageContentStore);
    const process = (): ImageVariantCache =>
      new ImageVariantCache(
        world.get(ImageStore),
        contents,
        new ImageCodec(),
        world.get(UnitsOfWork),
        world.get(SystemClock),
      );
    const all = await Promise.all(Array.from({ length: 4 }, () => process().get(image, 384)));
    expect(new Set(all.map(({ content }) => content.toHexString())).size).toBe(1);
    expect(await variants(idIn(record))).toBe(1);
    const left = await stored('image_uploads');
    expect(left).toBeGreaterThan(0);
    expect(await contents.discard(new Date(Date.now() + 1000), 100)).toBe(left);
    expect((await variantOf(idIn(record), 384)).status).toBe(200);
  });

  it('is made again after the process died before its commit', async () => {
    const image = idIn(await made(world.admin, await sampleOf('image/gif', 600, 400)));
    const contents = world.get(ImageContentStore);
    const abandoned = newId();
    await contents.write(
      { _id: abandoned, company: world.company },
      PNG.bytes,
      new Date(Date.now() - 2 * 3_600_000),
    );
    expect((await sizeOf(await variantOf(image, 128))).width).toBe(128);
    await world.get(Images).sweep();
    expect(await stored('image_content.files', { _id: abandoned })).toBe(0);
    expect((await sizeOf(await variantOf(image, 128))).width).toBe(128);
  });

  it('is removed with its image', async () => {
    const image = idIn(await made(world.admin, await sampleOf('image/png', 600, 400)));
    for (const width of [64, 128]) await variantOf(image, width);
    const files = await stored('image_content.files');
    expect((await world.admin.delete(`/images/${image}`)).status).toBe(200);
    expect(await stored('image_content.files')).toBe(files - 3);
    expect(await variants(image)).toBe(0);
    expect(await stored('image_content.chunks', { files_id: parseId(image)! })).toBe(0);
  });
});
