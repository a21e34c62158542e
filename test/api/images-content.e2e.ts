import { createHash } from 'node:crypto';

import { idIn } from '@commerce/testing';
import supertest from 'supertest';

import { World } from '../world.js';
import { contentOf, made, pngOf } from './image-files.js';

let world: World;

beforeAll(async () => {
  world = await World.start({ worker: false });
});
afterAll(() => world.stop());

describe('GET /images/<id>/content', () => {
  let bytes: Buffer;
  let id: string;

  beforeAll(async () => {
    bytes = await pngOf(700_000);
    id = idIn(await made(world.admin, bytes));
  });

  it('needs no header, and is served as an image only', async () => {
    const answer = await contentOf(world.baseUrl, id);
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

  it('has a head', async () => {
    const { status, headers, text } = await supertest(world.baseUrl).head(`/images/${id}/content`);
    expect([status, headers['content-length'], text]).toEqual([200, '700000', undefined]);
  });

  it('is not sent again to a caller who has it', async () => {
    const { etag } = (await contentOf(world.baseUrl, id)).headers as { etag: string };
    for (const condition of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      const { status, body } = await contentOf(world.baseUrl, id, { 'If-None-Match': condition });
      expect([status, (body as Buffer).length]).toEqual([304, 0]);
    }
    expect((await contentOf(world.baseUrl, id, { 'If-None-Match': '"x"' })).status).toBe(200);
  });

  it.each([
    ['bytes=0-0', 0, 1],
    ['bytes=100-199', 100, 200],
    ['bytes=261119-261120', 261_119, 261_121],
    ['bytes=600000-', 600_000, 700_000],
    ['bytes=-5', 699_995, 700_000],
    ['bytes=699999-9999999', 699_999, 700_000],
    ['bytes=10-19,20-29', 10, 30],
  ])('gives the range %s', async (Range, start, end) => {
    const { status, body, headers } = await contentOf(world.baseUrl, id, { Range });
    expect([status, headers['content-range']]).toEqual([
      206,
      `bytes ${String(start)}-${String(end - 1)}/700000`,
    ]);
    expect(headers['content-length']).toBe(String(end - start));
    expect(bytes.subarray(start, end).equals(body)).toBe(true);
  });

  it.each(['bytes=700000-', 'bytes=9-8', 'bytes=-0'])('refuses the range %s', async (Range) => {
    const { status, body, headers } = await contentOf(world.baseUrl, id, { Range });
    expect([status, headers['content-range'], (body as Buffer).length]).toEqual([416, 'bytes */700000', 0]);
    expect(headers['cache-control']).toBe('no-store');
  });

  it.each(['bytes=0-1,5-6', 'lines=1-2', 'bytes', 'bytes=a-b,'])('is sent in full for %s', async (Range) => {
    const { status, headers } = await contentOf(world.baseUrl, id, { Range });
    expect([status, headers['content-length']]).toEqual([200, '700000']);
  });

  it('gives a range only of the content that the caller has', async () => {
    const { etag } = (await contentOf(world.baseUrl, id)).headers as { etag: string };
    const Range = 'bytes=0-9';
    expect((await contentOf(world.baseUrl, id, { Range, 'If-Range': etag })).status).toBe(206);
    expect((await contentOf(world.baseUrl, id, { Range, 'If-Range': '"x"' })).status).toBe(200);
    expect((await contentOf(world.baseUrl, id, { Range, 'If-None-Match': etag })).status).toBe(304);
  });

  it('is 404 for an unknown id', async () => {
    for (const unknown of ['65b9a1c2d3e4f5061728394a', 'x', '__proto__']) {
      const answer = await supertest(world.baseUrl).get(`/images/${unknown}/content`);
      expect([answer.status, answer.body.code]).toEqual([404, 'image.not_found']);
    }
  });
});
