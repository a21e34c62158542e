import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request, type IncomingMessage } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';

import { idIn } from '@commerce/testing';

import { WorstBody } from '../event-loop.js';
import { ServiceProcesses } from '../processes.js';
import { noise } from './image-files.js';

/** The longest that one request may block all others. */
const LONGEST_MS = 100;
/** Garbage collection may disturb one try; code that blocks does so in every try. */
const TRIES = 8;
const BODY_LIMIT = 100 * 1024 - 2048;
const BULK_LIMIT = 1024 * 1024 - 8192;

const document: any = JSON.parse(readFileSync('openapi.json', 'utf8'));
const METHODS = ['get', 'post', 'put', 'delete'];
const ROUTES = Object.entries<any>(document.paths).flatMap(([path, item]) =>
  METHODS.filter((method) => item[method] !== undefined).map((method) => [method, path] as const),
);

let service: ServiceProcesses;
const known: Record<string, string> = {};
beforeAll(async () => {
  service = await ServiceProcesses.start({ IMAGE_QUOTA_MB_PER_COMPANY: '0', STRIPE_TIMEOUT_MS: '2000' });
  const { admin } = service;
  const { user, method } = await service.cardholder('pm_card_visa');
  Object.assign(known, { user, payment_method: method });
  const plan = { name: 'Daily', interval_unit: 'DAY', currency: 'EUR', prepay: true, total_amount: 1 };
  known['plan'] = idIn(await admin.made('/plans', plan));
  const product = { name: 'Kettle', price: 20, currency: 'EUR', active: true };
  known['product'] = idIn(await admin.made('/products', product));
  // Every company has records of each kind, so that lists and searches have work to do.
  for (let count = 0; count < 100; count += 1) {
    await admin.made('/products', { ...product, name: `Kettle ${String(count)} ${'wörd '.repeat(40)}` });
  }
}, 120_000);
afterAll(() => service.stop());

interface Measured {
  /** The longest event-loop delay since the previous measurement. */
  readonly lagMs: number;
  /** The total processor time of the process. */
  readonly cpuMs: number;
}

/** The API's own metrics; each read resets its event-loop monitor. */
async function measured(): Promise<Measured> {
  const port = service.env['API_MANAGEMENT_PORT'] ?? '';
  const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const read = (name: string): number =>
    Number(new RegExp(`^${name} ([\\d.e-]+)$`, 'm').exec(metrics)?.[1]) * 1000;
  return { lagMs: read('nodejs_eventloop_lag_max_seconds'), cpuMs: read('process_cpu_seconds_total') };
}

/**
 * The shortest time for which a request blocks all others. A busy machine delays a process too, as it delays this idle
 * one, so that delay is subtracted; and no request can block a process for longer than the process was running.
 */
async function holdUpOf(send: () => Promise<Response>): Promise<{ status: number; ms: number }> {
  const heldUp: number[] = [];
  const statuses: number[] = [];
  do {
    const before = await measured();
    const idle = monitorEventLoopDelay({ resolution: 10 });
    idle.enable();
    const response = await send();
    await response.arrayBuffer();
    const { lagMs, cpuMs } = await measured();
    idle.disable();
    statuses.push(response.status);
    heldUp.push(Math.min(lagMs - idle.max / 1e6, cpuMs - before.cpuMs));
  } while (heldUp.at(-1)! > LONGEST_MS && heldUp.length < TRIES);
  return { status: statuses[0]!, ms: Math.min(...heldUp) };
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

/** The largest permitted query: the largest page, the longest text. */
function worstQuery(operation: any): string {
  const query = new URLSearchParams();
  for (const given of operation.parameters ?? []) {
    const { name, in: place, schema } = given;
    if (place !== 'query' || ['after', 'page', 'from_date', 'to_date'].includes(name)) continue;
    if (name === 'size') query.set(name, '100');
    else if (given.required === true || name === 'query') {
      query.set(name, schema.type === 'string' ? 'wörd'.repeat(32) : '1');
    }
  }
  return query.toString();
}

function pathOf(template: string): string {
  const noun = template.split('/')[1]!.replace(/s$/, '');
  return template.replace('{id}', known[noun] ?? 'f'.repeat(24));
}

describe('No request holds up the others', () => {
  it.each(ROUTES)('%s %s with the worst that the document allows', async (method, template) => {
    const operation = document.paths[template][method];
    const schema = operation.requestBody?.content['application/json']?.schema;
    const limit = template.endsWith('/bulk') ? BULK_LIMIT : BODY_LIMIT;
    const body = schema === undefined ? undefined : new WorstBody(document, known, limit).bodyFor(schema);
    if (method === 'delete' && pathOf(template) !== template && known[template.split('/')[1]!]) return;
    const path = `${pathOf(template)}?${worstQuery(operation)}`;
    const { status, ms } = await holdUpOf(() => send(method, path, body));
    expect([status < 500 || status === 503, ms <= LONGEST_MS || ms]).toEqual([true, true]);
  });

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
    const { plan, user } = known;
    const given = body();
    const sent = path.endsWith('preview') ? { plan, user, ...(given as object) } : given;
    const { status, ms } = await holdUpOf(() => send('post', path, sent));
    expect([status < 500, ms <= LONGEST_MS || ms]).toEqual([true, true]);
  });

  it('refuses a preview in the year 275,000', async () => {
    const { plan, user } = known;
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
    const { status, ms } = await holdUpOf(upload);
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
