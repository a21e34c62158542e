import { isFault } from '@commerce/kernel';
import express, { type NextFunction, type Request, type Response } from 'express';
import request from 'supertest';

import { readInput } from './request-input.js';
import type { RouteNotes } from '../route-notes.js';
import type { ServiceRequest } from '../service-request.js';

class Thing {}

const app = express();
app.use('/list', reading({ kind: 'list', of: Thing, max: 2 }));
app.use('/', reading({ kind: 'object', of: Thing }));
// Express recognizes an error handler by its four parameters.
app.use((error: unknown, _request: Request, response: Response, next: NextFunction) => {
  if (response.headersSent || !isFault(error)) next(error);
  else response.json({ code: error.code, path: error.details.errors?.[0]?.path });
});

function reading(body: RouteNotes['body']) {
  return async (read: Request, response: Response) => {
    await readInput(read as ServiceRequest, { access: 'admin', body, query: Thing }, { publicUrl: '' });
    const raw = (read as ServiceRequest).rawBody?.toString();
    response.json({ body: (read.body as unknown) ?? null, raw: raw ?? null });
  };
}

const post = (body: string, type = 'application/json', path = '/') =>
  request(app).post(path).set('content-type', type).send(body);

const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
const elements = (count: number) => `[${Array.from({ length: count }, () => '0').join()}]`;

describe('A body', () => {
  it('is read, and its bytes are kept', async () => {
    const { body } = await post('{ "name": "Tea" }', 'application/json; charset="UTF-8"');
    expect(body).toEqual({ body: { name: 'Tea' }, raw: '{ "name": "Tea" }' });
  });

  it.each([
    ['get', '/'],
    ['post', '/'],
    ['delete', '/'],
  ] as const)('need not be there on %s', async (method, path) => {
    const { body } = await request(app)[method](path).set('content-type', 'text/plain');
    expect(body).toEqual({ body: null, raw: null });
  });

  it('of no length is absent, for any type', async () => {
    const { body } = await request(app)
      .post('/')
      .set('content-length', '0')
      .set('content-type', 'text/plain');
    expect(body).toEqual({ body: null, raw: null });
  });

  it.each([
    ['of another type', 'name=Tea', 'application/x-www-form-urlencoded', 'media_type.unsupported', undefined],
    ['of parts', '--a--', 'multipart/form-data; boundary=a', 'media_type.unsupported', undefined],
    ['in another charset', '{}', 'application/json; charset=utf-16', 'media_type.unsupported', undefined],
    ['that is no JSON', '{"name":', 'application/json', 'body.malformed', undefined],
    [
      'beyond the limit',
      JSON.stringify('x'.repeat(100 * 1024)),
      'application/json',
      'body.too_large',
      undefined,
    ],
    ['with a NUL', '{"name":"a\\u0000b"}', 'application/json', 'value.invalid', 'name'],
    ['with half a surrogate pair', '{"name":"\\ud800"}', 'application/json', 'value.invalid', 'name'],
    ['with such a key', '{"a":[{"n\\ud800":1}]}', 'application/json', 'value.invalid', 'a.0'],
    ['with a number beyond a double', '[1e400]', 'application/merge-patch+json', 'value.invalid', '0'],
    ['nested too deep', `{"a":${nested(32)}}`, 'application/json', 'value.invalid', `a${'.0'.repeat(31)}`],
    ['of too many elements', `{"a":{"b":${elements(10_001)}}}`, 'application/json', 'value.invalid', 'a.b'],
    [
      'of too many keys',
      JSON.stringify({ a: Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`k${String(i)}`, 0])) }),
      'application/json',
      'value.invalid',
      'a',
    ],
  ])('%s is refused', async (_what, body, type, code, path) => {
    expect((await post(body, type)).body).toEqual({ code, path });
  });

  it('as large as it may be is taken', async () => {
    const largest = JSON.stringify([nested(31), 'x'.repeat(90 * 1024), { a: 1 }]);
    expect((await post(largest)).body.raw).toBe(largest);
    expect((await post(`{"a":${elements(10_000)}}`)).body.body.a).toHaveLength(10_000);
    expect((await post(nested(32))).body.raw).toBe(nested(32));
  });
});

describe('A list of bodies', () => {
  const list = (...items: string[]) => post(`[${items.join()}]`, 'application/json', '/list');

  it('may be large, and counts the elements of each', async () => {
    const text = JSON.stringify('x'.repeat(400 * 1024));
    expect((await list(text, text)).body.body).toHaveLength(2);
    expect((await list(elements(6000), elements(6000))).body.body).toHaveLength(2);
    expect((await list('1', elements(10_001))).body).toEqual({ code: 'value.invalid', path: '1' });
  });

  it('is refused when it is too long, before its elements are checked', async () => {
    expect((await list('"\\u0000"', '2', '3')).body).toEqual({ code: 'body.invalid', path: '' });
  });
});

describe('A chunked body', () => {
  const chunked = async (text: string) => {
    const body = new ReadableStream({
      start: (controller) => {
        controller.enqueue(new TextEncoder().encode(text));
        controller.close();
      },
    });
    const server = app.listen(0);
    try {
      const { port } = server.address() as { port: number };
      const init = { method: 'POST', body, duplex: 'half', headers: { 'content-type': 'application/json' } };
      return (await (await fetch(`http://127.0.0.1:${String(port)}`, init as RequestInit)).json()) as object;
    } finally {
      server.close();
    }
  };

  it('is read, and refused beyond the limit', async () => {
    expect(await chunked('{"a":1}')).toEqual({ body: { a: 1 }, raw: '{"a":1}' });
    expect(await chunked('')).toEqual({ body: null, raw: null });
    expect(await chunked(' '.repeat(300 * 1024))).toEqual({ code: 'body.too_large' });
  });
});
