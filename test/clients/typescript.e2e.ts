import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { World } from '../world.js';

const run = promisify(execFile);
const ROOT = process.cwd();

/** The program of a user who has installed the client: type-checked, then run against a real service. */
const PROGRAM = `
import {
  AuthenticationRequired, CommerceProblem, CommerceUnavailable, createCommerceClient, verifyWebhook,
  verifyEvent, type WebhookEvent,
} from 'commerce-service-client';

const env = process.env as Record<string, string>;
let lost = 0;
const commerce = createCommerceClient({
  baseUrl: env.BASE_URL!, apiKey: env.API_KEY!, bearer: env.SERVICE_KEY!,
  retry: { waitMs: 10 },
  // The first answer to the making of Grace is lost on its way.
  fetch: async (request) => {
    const grace = request.method === 'POST' && (await request.clone().text()).includes('grace@example.com');
    const response = await fetch(request);
    if (grace && (lost += 1) === 1) throw new TypeError('connection reset');
    return response;
  },
});

const plan = await commerce.post('/plans', {
  body: { name: 'Monthly', interval_unit: 'MONTH', currency: 'EUR', total_amount: 30, prepay: true },
});
const id: string = plan._id;
const created: Date = plan.created;
const grace = await commerce.post('/users', { body: { name: 'Grace', email: 'grace@example.com' } });
for (let n = 0; n < 104; n += 1) await commerce.post('/users', { body: { name: 'User ' + n } });

const names: string[] = [];
for await (const user of commerce.pages('/users')) names.push(String(user.name));
const few: string[] = [];
for await (const user of commerce.pages('/users', { params: { query: { size: 7 } as never } })) few.push(user._id);

const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const image = await commerce.post('/images', { body: { file: new Blob([Buffer.from(pixel, 'base64')]) } });
const content: Blob = await commerce.get('/images/{id}/content', { params: { path: { id: image._id } } });

const keys: boolean[] = [];
for (const attempts of [1, 2]) {
  const noting = createCommerceClient({
    baseUrl: env.BASE_URL!, apiKey: env.API_KEY!, bearer: env.SERVICE_KEY!, retry: { attempts },
    fetch: (request) => {
      keys.push(request.headers.has('Idempotency-Key'));
      return fetch(request);
    },
  });
  await noting.post('/users', { body: { name: 'Keys' } });
}

let problem: CommerceProblem | null = null;
try {
  await commerce.post('/plans', { body: { interval_unit: 'MONTH', currency: 'EUR', total_amount: -1 } });
} catch (error) {
  if (error instanceof CommerceProblem) problem = error;
}
let away: unknown = null;
try {
  await createCommerceClient({ baseUrl: 'http://127.0.0.1:9', apiKey: 'x', retry: { attempts: 2, waitMs: 1 } }).get('/products');
} catch (error) {
  away = error;
}
// @ts-expect-error there is no such route
const nothing = () => commerce.get('/nothing');
const verify: (body: string) => WebhookEvent = (body) => verifyWebhook(body, {}, 'whsec_x');
const described = (body: string): string => {
  const event = verifyEvent(body, {}, 'whsec_x');
  switch (event.kind) {
    case 'payment.succeeded':
      // @ts-expect-error a payment has no email
      void event.object.email;
      return event.object.amount.toFixed(2) + event.object.currency + String(event.previous_data.status);
    case 'payment.failed':
      return event.object.attempts.map(({ code }) => code).join();
    case 'user.created':
      return String(event.object.email);
    case 'subscription.updated':
      // @ts-expect-error the previous values have the types of the record
      void (event.previous_data.quantity satisfies string | undefined);
      return event.object.plan + String(event.object.quantity);
    case 'order.created':
      return event.object.items.map(({ product }) => product).join();
    case 'webhook.confirmation':
      return event.challenge;
    default:
      return event.object._id + String(event.sequence);
  }
};
const { createHmac } = await import('node:crypto');
const stamp = String(Math.floor(Date.now() / 1000));
const sent = JSON.stringify({ kind: 'payment.succeeded', object: { amount: 30 } });
const key = Buffer.from('a'.repeat(32));
const mac = createHmac('sha256', key).update('m.' + stamp + '.' + sent).digest('base64');
const headers = { 'webhook-id': 'm', 'webhook-timestamp': stamp, 'webhook-signature': 'v1,' + mac };
const typed = verifyEvent(sent, headers, 'whsec_' + key.toString('base64'));
void [nothing, verify, described, AuthenticationRequired];

console.log(JSON.stringify({
  id, created: created instanceof Date, grace: grace.email, lost,
  image: [content.type, content.size === Buffer.from(pixel, 'base64').length],
  keys, users: names.length, distinct: new Set(few).size,
  problem: problem && { status: problem.status, code: problem.code, field: problem.field('total_amount')?.path },
  away: away instanceof CommerceUnavailable,
  paid: typed.kind === 'payment.succeeded' && typed.object.amount,
}));
`;

const TSCONFIG = {
  compilerOptions: {
    target: 'ES2022',
    module: 'NodeNext',
    moduleResolution: 'NodeNext',
    lib: ['ES2023', 'DOM', 'DOM.Iterable'],
    types: ['node'],
    typeRoots: [join(ROOT, 'node_modules/@types')],
    strict: true,
    skipLibCheck: false,
  },
  files: ['use.ts'],
};

describe('The packed client, in an empty project', () => {
  const folder = mkdtempSync(join(tmpdir(), 'commerce-client-'));
  let world: World;

  beforeAll(async () => {
    world = await World.start({ worker: false });
    // `npm test` passes its own settings to its commands, among them the one that runs no scripts.
    const pack = ['pack', '--ignore-scripts=false', '--pack-destination', folder];
    await run('npm', pack, { cwd: join(ROOT, 'clients/typescript') });
    const [packed = ''] = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
    writeFileSync(
      join(folder, 'package.json'),
      JSON.stringify({ name: 'use', private: true, type: 'module' }),
    );
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(TSCONFIG));
    writeFileSync(join(folder, 'use.ts'), PROGRAM);
    const install = ['install', '--no-audit', '--no-fund', '--prefer-offline', join(folder, packed)];
    await run('npm', install, { cwd: folder });
  }, 180_000);

  afterAll(async () => {
    await world.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('is typed, decodes replies, pages, retries writes safely and throws problems', async () => {
    const checked = await run(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', '.'], {
      cwd: folder,
    }).catch((error: unknown) => error as { stdout: string });
    expect(checked.stdout).toBe('');
    const { stdout } = await run(process.execPath, ['use.js'], {
      cwd: folder,
      env: {
        ...process.env,
        BASE_URL: world.baseUrl,
        API_KEY: world.apiKey,
        SERVICE_KEY: world.serviceKey,
      },
    });
    expect(JSON.parse(stdout)).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{24}$/),
      created: true,
      grace: 'grace@example.com',
      lost: 2,
      image: ['image/png', true],
      keys: [false, true],
      users: 105,
      distinct: 105,
      problem: { status: 422, code: 'value.invalid', field: 'total_amount' },
      away: true,
      paid: 30,
    });
    const graces = (await world.admin.read('/users', { size: 100, sort: 'created' })).filter(
      (user: { email: string | null }) => user.email === 'grace@example.com',
    );
    expect(graces).toHaveLength(1);
  }, 180_000);
});
