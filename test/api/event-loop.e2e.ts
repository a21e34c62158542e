import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';

import { freePort, idIn } from '@commerce/testing';

import { LargestRecords } from '../largest-records.js';
import { ServiceProcesses } from '../processes.js';
import { ROUTES, refusalOf, worstRequest } from '../worst-requests.js';
import { noise } from './image-files.js';

/** The longest that the API may compute before other requests have a turn: 50 ms, garbage collection and slow machines aside. */
const LONGEST_MS = 80;
/** Garbage collection and first compilations may disturb a try; code that blocks does so in every try. */
const TRIES = 6;
/** The most characters of a reply that is not streamed. */
const MOST_JSON = 4.3 * 1024 * 1024;

let service: ServiceProcesses;
let records: LargestRecords;
let monitor: string;
beforeAll(async () => {
  const port = String(await freePort());
  monitor = `http://127.0.0.1:${port}`;
  service = await ServiceProcesses.start({
    IMAGE_QUOTA_MB_PER_COMPANY: '0',
    KEYS_PER_COMPANY: '0',
    REQUEST_TIMEOUT: '5m',
    STRIPE_TIMEOUT_MS: '2000',
    MAIN_THREAD_PORT: port,
    NODE_OPTIONS: `--import ${pathToFileURL('test/main-thread.mjs').href}`,
  });
  records = await LargestRecords.of(service);
}, 300_000);
afterAll(() => service.stop());

/** How long the API has computed at most, without a turn for others, since it was last asked. */
async function computedMs(): Promise<number> {
  return Number(await (await fetch(monitor)).text());
}

interface Outcome {
  readonly status: number;
  readonly text: string;
  readonly ms: number;
}

/** The try of a request that computes the shortest at a time. */
async function shortestOf(send: () => Promise<Response>): Promise<Outcome> {
  let best: Outcome | null = null;
  for (let n = 0; n < TRIES && (best === null || best.ms > LONGEST_MS); n += 1) {
    await computedMs();
    const response = await send();
    const text = await response.text();
    const outcome = { status: response.status, text, ms: await computedMs() };
    if (best === null || outcome.ms < best.ms) best = outcome;
  }
  return best!;
}

function send(method: string, path: string, body?: unknown): Promise<Response> {
  const { baseUrl, headers } = service.admin;
  const json = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) };
  return fetch(`${baseUrl}${path}`, {
    method: method.toUpperCase(),
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...json,
  });
}

async function expectTurns(route: string, longestMs = LONGEST_MS): Promise<void> {
  const [method = ''] = route.split(' ');
  const { status, text, ms } = await shortestOf(async () => {
    const { path, body } = await worstRequest(route, records);
    // What prepared the request has no part in it.
    await computedMs();
    return send(method, path, body);
  });
  const code = status < 300 ? undefined : JSON.parse(text).code;
  expect([code, ms <= longestMs || ms, text.length <= MOST_JSON]).toEqual([refusalOf(route), true, true]);
}

/**
 * Forecasts of many products go on when their caller has left: they come last. Of their thousands of turns some meet the
 * garbage collection.
 */
const isForecast = (route: string): boolean => route === 'get /forecast';

describe('No request holds up the others', () => {
  it.each(ROUTES.filter((route) => !isForecast(route)))(
    '%s with the worst that the document allows',
    (route) => expectTurns(route),
    60_000,
  );

  it.each<[string, string, () => unknown]>([
    ['of a date far away', '/subscriptions/preview', () => ({ starting_date: 8.64e15, count: 36 })],
    ['of a date in 2199', '/subscriptions/preview', () => ({ starting_date: 7.22e12, count: 36 })],
    ['of JSON of many levels', '/products', () => `${'['.repeat(40_000)}${']'.repeat(40_000)}`],
    [
      'of JSON of many keys',
      '/products',
      () => Object.fromEntries(Array.from({ length: 9000 }, (_, i) => [`k${String(i)}`, 0])),
    ],
    ['of many numbers', '/products', () => ({ tags: Array.from({ length: 40_000 }, () => 1) })],
  ])('with a body %s', async (_, path, body) => {
    const { plan, user } = records.ids;
    const given = body();
    const sent = path.endsWith('preview') ? { plan, user, ...(given as object) } : given;
    const { status, ms } = await shortestOf(() => send('post', path, sent));
    expect([status < 500, ms <= LONGEST_MS || ms]).toEqual([true, true]);
  });

  it('refuses a preview in the year 275,000', async () => {
    const { plan, user } = records.ids;
    const reply = await send('post', '/subscriptions/preview', {
      plan,
      user,
      starting_date: 8.6e15,
      count: 36,
    });
    expect(reply.status).toBe(422);
  });

  it('with an image of 10 MiB', async () => {
    const bytes = await noise(1800, 1800).png().toBuffer();
    const upload = (): Promise<Response> => {
      const form = new FormData();
      form.set('file', new Blob([Uint8Array.from(bytes)]), 'large.png');
      const { baseUrl, headers } = service.admin;
      return fetch(`${baseUrl}/images`, { method: 'POST', headers, body: form });
    };
    const { status, ms } = await shortestOf(upload);
    expect([status, ms <= LONGEST_MS || ms]).toEqual([200, true]);
  });
});

/** Sends the head of a request that announces a body, without the body. */
async function announced(
  path: string,
  bytes: number,
  headers: Readonly<Record<string, string>> = service.admin.headers,
): Promise<{ status: number; code: string }> {
  const sent = request(`${service.admin.baseUrl}${path}`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', 'content-length': bytes },
  });
  sent.on('error', () => undefined);
  sent.flushHeaders();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const text = (await response.setEncoding('utf8').toArray()).join('');
  sent.destroy();
  return { status: Number(response.statusCode), code: JSON.parse(text).code };
}

describe('A body that is not admitted is never read', () => {
  const [usual, bulk] = [100 * 1024, 1024 * 1024];

  it.each<[string, number, string, () => Record<string, string>]>([
    ['/nowhere/bulk', bulk, '404 path.not_found', () => ({})],
    ['/nowhere/bulk', bulk, '404 path.not_found', () => service.admin.headers],
    ['/resources/bulk', bulk, '401 api_key.missing', () => ({})],
    ['/resources/bulk', bulk, '401 credentials.missing', () => ({ 'x-service-api-key': service.apiKey })],
    ['/resources/bulk', bulk + 1, '413 body.too_large', () => service.admin.headers],
    ['/products', usual, '401 api_key.missing', () => ({})],
    ['/products', usual + 1, '413 body.too_large', () => service.admin.headers],
    ['/provider_notices/stripe', usual + 1, '413 body.too_large', () => ({})],
  ])('%s with %i bytes: %s', async (path, bytes, expected, headers) => {
    const { status, code } = await announced(path, bytes, headers());
    expect(`${String(status)} ${code}`).toBe(expected);
  });

  it('nor one of a user who may not send it', async () => {
    const { admin, apiKey } = service;
    const user = idIn(await admin.made('/users', { name: 'Ada' }));
    const { access_token: token } = await admin.made(`/users/${user}/tokens`);
    const headers = { 'x-service-api-key': apiKey, authorization: `Bearer ${token as string}` };
    expect(await announced('/resources/bulk', bulk, headers)).toEqual({
      status: 403,
      code: 'role.forbidden',
    });
  });
});

describe('A compressed body', () => {
  const text = Buffer.alloc(1024 * 1024, '[');
  it.each([
    ['br', brotliCompressSync(text)],
    ['gzip', gzipSync(text)],
    ['deflate', deflateSync(text)],
  ])('is refused instead of inflated: %s', async (encoding, body) => {
    const { baseUrl, headers } = service.admin;
    const sent = { ...headers, 'content-type': 'application/json', 'content-encoding': encoding };
    for (const path of ['/resources/bulk', '/products', '/images']) {
      const reply = await fetch(`${baseUrl}${path}`, { method: 'POST', headers: sent, body });
      expect(await reply.json()).toMatchObject({
        status: 415,
        code: 'media_type.unsupported',
        detail: expect.stringContaining('Content-Encoding'),
      });
    }
  });
});

describe('A body of many elements', () => {
  it('is refused by their number, at any depth', async () => {
    const numbers = Array.from({ length: 101 }, () => Array.from({ length: 100 }, () => 1));
    const reply = await send('post', '/products', { name: 'Kettle', properties: { numbers } });
    expect([reply.status, await reply.json()]).toEqual([
      422,
      expect.objectContaining({ code: 'value.invalid', detail: expect.stringContaining('10,000 elements') }),
    ]);
  });

  it('is refused by its length in bulk, before any element is looked into', async () => {
    const reply = await send(
      'post',
      '/resources/bulk',
      Array.from({ length: 501 }, () => ({ name: 'a\0' })),
    );
    expect([reply.status, await reply.json()]).toEqual([
      422,
      expect.objectContaining({ code: 'body.invalid' }),
    ]);
  });
});

describe('A forecast', () => {
  it.each(ROUTES.filter(isForecast))(
    '%s lets others have their turn',
    (route) => expectTurns(route, 150),
    180_000,
  );
});
