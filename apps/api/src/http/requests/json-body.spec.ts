import { isFault } from '@commerce/kernel';
import express, { type NextFunction, type Request, type Response } from 'express';
import request from 'supertest';

import { jsonBody } from './json-body.js';
import type { ServiceRequest } from '../service-request.js';

const app = express();
app.use(jsonBody('1kb'));
app.use((read: Request, response: Response) => {
  const raw = (read as ServiceRequest).rawBody?.toString();
  response.json({ body: (read.body as unknown) ?? null, raw: raw ?? null });
});
// Express knows a handler of errors by its four parameters.
app.use((error: unknown, _request: Request, response: Response, next: NextFunction) => {
  if (response.headersSent) next(error);
  response.json({ code: isFault(error) ? error.code : (error as { type?: string }).type });
});

const post = (body: string, type = 'application/json') =>
  request(app).post('/').set('content-type', type).send(body);

describe('A body', () => {
  it('is read, and its bytes are kept', async () => {
    const { body } = await post('{ "name": "Tea" }');
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

  it('of no length is none, whatever its type', async () => {
    const { body } = await request(app)
      .post('/')
      .set('content-length', '0')
      .set('content-type', 'text/plain');
    expect(body).toEqual({ body: null, raw: null });
  });

  it.each([
    ['of another type', 'name=Tea', 'application/x-www-form-urlencoded', 'media_type.unsupported'],
    ['that is no JSON', '{"name":', 'application/json', 'entity.parse.failed'],
    ['beyond the limit', JSON.stringify('x'.repeat(1024)), 'application/json', 'entity.too.large'],
    ['with a NUL', '{"name":"a\\u0000b"}', 'application/json', 'value.invalid'],
    ['with half a surrogate pair', '{"name":"\\ud800"}', 'application/json', 'value.invalid'],
    ['with a number beyond a double', '[1e400]', 'application/merge-patch+json', 'value.invalid'],
    ['nested too deep', '['.repeat(33) + ']'.repeat(33), 'application/json', 'value.invalid'],
  ])('%s is refused', async (_what, body, type, code) => {
    expect((await post(body, type)).body).toEqual({ code });
  });
});
