import { request } from 'node:http';

import { Client, eventually, idIn, type Reply } from '@commerce/testing';

import { ServiceProcesses } from '../processes.js';
import { PNG } from './image-files.js';

let service: ServiceProcesses;
let user: { id: string; client: Client };
beforeAll(async () => {
  service = await ServiceProcesses.start({
    TRUST_PROXY: '1',
    RATE_LIMIT_PER_SECOND: '1',
    RATE_LIMIT_BURST: '40',
    USER_RATE_LIMIT_PER_SECOND: '1',
    USER_RATE_LIMIT_BURST: '8',
    ADDRESS_RATE_LIMIT_PER_SECOND: '1',
    ADDRESS_RATE_LIMIT_BURST: '70',
    AUTH_FAILURES_PER_MINUTE: '3',
    CARD_ATTEMPTS_PER_HOUR: '1',
    VERIFIES_PER_MINUTE: '1',
    SIMULATES_PER_MINUTE: '2',
    IMAGE_UPLOADS_AT_ONCE_PER_COMPANY: '1',
  });
  user = await signedIn();
}, 120_000);
afterAll(() => service.stop());

async function signedIn(): Promise<{ id: string; client: Client }> {
  const id = idIn(await service.admin.made('/users', { name: 'Ada' }));
  const { access_token: token } = await service.admin.made(`/users/${id}/tokens`);
  return { id, client: anonymous().as(token) };
}

function anonymous(apiKey = service.apiKey): Client {
  return new Client(service.admin.baseUrl, { apiKey });
}

let addresses = 0;
/** The same caller at an address that no other test uses. */
function elsewhere(client: Client): Client {
  return client.with({ 'X-Forwarded-For': `203.0.113.${String((addresses += 1))}` });
}

/** The first refusal among many requests, sent in batches of `atOnce`. */
async function refused(send: () => Promise<Reply>, atOnce = 1): Promise<Reply> {
  for (let sent = 0; sent < 120; sent += atOnce) {
    const replies = await Promise.all(Array.from({ length: atOnce }, send));
    const found = replies.find(({ status }) => status === 429);
    if (found) return found;
  }
  throw new Error('no request was refused');
}

/** Provokes the refusal of a second upload while a first one is being read. */
async function refusedUpload(): Promise<Reply> {
  const { baseUrl, headers } = service.admin;
  const boundary = { 'content-type': 'multipart/form-data; boundary=b' };
  const slow = request(`${baseUrl}/images`, { method: 'POST', headers: { ...headers, ...boundary } });
  slow.on('error', () => undefined);
  slow.write('--b\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n');
  slow.write(PNG.bytes);
  const begun = (): Promise<number> => service.database.collection('image_uploads').countDocuments();
  await eventually(begun, (count) => count === 1, 60_000);
  try {
    return await service.admin.with(boundary).post('/images');
  } finally {
    slow.destroy();
  }
}

async function webhook(): Promise<string> {
  const { url } = await service.receiver();
  return `/webhooks/${idIn(await service.admin.made('/webhooks', { event_type: 'user.created', endpoint: url }))}`;
}

describe('A refusal names its limit', () => {
  it.each<[string, string, () => Promise<() => Promise<Reply>> | (() => Promise<Reply>)]>([
    [
      'failed-credentials',
      'q=3;w=60',
      () => {
        const guesser = elsewhere(anonymous('pk_test_wrong'));
        return () => guesser.get('/products');
      },
    ],
    [
      'address',
      'q=70;w=70',
      () => {
        const caller = elsewhere(anonymous(''));
        return () => caller.get('/.well-known/jwks.json');
      },
    ],
    [
      'address',
      'q=70;w=70',
      () => {
        const caller = elsewhere(anonymous(''));
        return () => caller.get('/docs-json');
      },
    ],
    [
      'address',
      'q=70;w=70',
      () => {
        const caller = elsewhere(anonymous(''));
        return () => caller.post('/nowhere/bulk', []);
      },
    ],
    [
      'pay',
      'q=60;w=30',
      () => {
        const caller = elsewhere(anonymous(''));
        return () => caller.get('/pay/nothing');
      },
    ],
    [
      'user',
      'q=8;w=8',
      async () => {
        const { id, client } = await signedIn();
        return () => client.get(`/users/${id}`);
      },
    ],
    [
      'cards',
      'q=1;w=3600',
      async () => {
        const { client } = await signedIn();
        return () => client.post('/payment_methods', { payment_method: 'stripe' });
      },
    ],
    [
      'verifications',
      'q=1;w=60',
      async () => {
        const path = await webhook();
        return () => service.admin.post(`${path}/verify`);
      },
    ],
    [
      'simulated-events',
      'q=2;w=60',
      async () => {
        const path = await webhook();
        return () => service.admin.post(`${path}/simulate`);
      },
    ],
    ['uploads', 'q=1;qu="concurrent-requests"', () => refusedUpload],
  ])('%s with %s', async (name, policy, prepare) => {
    const send = await prepare();
    const { headers, body } = await refused(send, ['address', 'pay'].includes(name) ? 40 : 1);
    expect(body).toMatchObject({ status: 429, code: 'rate.limited' });
    expect(body).not.toHaveProperty('rate_limit');
    expect(headers['ratelimit-policy']).toBe(`"${name}";${policy}`);
    const [, seconds] = /^"[a-z-]+";r=0;t=(\d+)$/.exec(headers['ratelimit'] ?? '') ?? [];
    expect(Number(seconds)).toBeGreaterThan(0);
    expect(headers['retry-after']).toBe(seconds);
  });
});

describe('The limit of an API key', () => {
  it.each<[string, () => Client]>([
    ['without a token', () => anonymous()],
    ['with a token that is not good', () => anonymous().as('eyJ.no.token')],
  ])('is separate for strangers and for customers: %s', async (_, stranger) => {
    const strangers = [elsewhere(stranger()), elsewhere(stranger())];
    let sent = 0;
    const { headers } = await refused(() => strangers[(sent += 1) % 2]!.get('/products'), 60);
    expect(headers['ratelimit-policy']).toBe('"requests";q=40;w=40');
    const customer = await elsewhere(user.client).get(`/users/${user.id}`);
    expect([customer.status, customer.headers['ratelimit']]).toEqual([
      200,
      expect.stringMatching(/^"requests";r=\d+;t=0$/),
    ]);
  });
});
