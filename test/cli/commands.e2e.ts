import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Client, idIn } from '@commerce/testing';

import { World } from '../world.js';
import { cli, cliProcess, json } from './command-line.js';

let world: World;
let company: { company: string; api_key: string; service_key: string };
let admin: Client;
/** A key that expires while the other tests run. */
let expiring: { made: any; expires: string; as: Client; early: number };

beforeAll(async () => {
  world = await World.start({ worker: false });
  company = await json('company:create', '--name', 'Shop', '--timezone', 'Europe/Berlin', '--mode', 'live');
  admin = new Client(world.baseUrl, { apiKey: company.api_key, bearer: company.service_key });
  const expires = new Date(Date.now() + 30_000).toISOString().replace(/\.\d+Z$/, 'Z');
  const of = ['--company', company.company, '--kind', 'service'];
  const made = await json('key:create', ...of, '--expires', expires);
  const as = admin.as(made.key);
  expiring = { made, expires, as, early: (await as.get('/users')).status };
});
afterAll(() => world.stop());

const PRODUCT = { name: 'Kettle', price: 20, currency: 'EUR' };

describe('every command', () => {
  const names = [
    ...['company:create', 'company:update', 'company:list', 'key:create', 'key:revoke', 'key:list'],
    ...['user:create', 'user:token', 'seed:demo', 'seed:load', 'billing:run', 'events:replay'],
    ...['queues:rebuild', 'doctor', 'key:rotate', 'secrets:rotate', 'search:rebuild', 'billing:release'],
    ...['subscription:show', 'payment:show', 'explain', 'forecast', 'revenue', 'import:stripe'],
    ...['invoice:list', 'invoice:export', 'invoice:next', 'invoice:request', 'rates:import'],
  ];

  it('has --help and --json, and needs no server for it', async () => {
    const nothing = { MONGODB_URI: '', REDIS_URL: '', STRIPE_SECRET_KEY: '' };
    for (const name of ['company:create', 'seed:demo', 'doctor']) {
      const { code, stdout } = await cliProcess([name, '--help'], '', nothing);
      expect([code, stdout]).toEqual([0, expect.stringContaining('--json')]);
    }
    const { stdout } = await cliProcess(['--help'], '', nothing);
    for (const name of names) expect(stdout).toContain(name);
  });

  it.each([
    ['an unknown command', ['no:such'], "unknown command 'no:such'"],
    ['a misspelt command', ['key:creat'], '(Did you mean key:create?)'],
    ['a command in two words', ['key', 'create'], '(Did you mean key:create?)'],
    ['an unknown option', ['company:list', '--nme', 'x'], "unknown option '--nme'"],
    ['a missing option', ['key:create', '--company', 'x'], "required option '--kind <kind>'"],
    [
      'a wrong choice',
      ['company:create', '--name', 'x', '--mode', 'both'],
      '--mode must be one of test, live',
    ],
    ['a wrong id', ['key:list', '--company', 'x'], '--company must be an id of 24 hexadecimal digits'],
    [
      'an unknown id',
      ['key:list', '--company', '65b9a1c2d3e4f5061728394a'],
      'There is no company with this id',
    ],
    [
      'a wrong date',
      ['key:create', '--company', 'x', '--kind', 'api', '--expires', 'soon'],
      '--expires must be a date such as',
    ],
    ['a wrong value', ['company:create', '--name', 'x', '--timezone', 'Mars/X'], 'timezone must be an IANA'],
    [
      'a setting that never changes',
      ['company:update', '--company', 'x', '--mode', 'test'],
      "unknown option '--mode'",
    ],
    ['words too many', ['company:list', 'all'], 'too many arguments'],
  ])('names %s and fails', async (_, args, message) => {
    const { code, stdout, stderr } = await cli(args);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(message);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });

  it('ends a process with the code of its refusal', async () => {
    const { code, stdout, stderr } = await cliProcess(['key:creat']);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('(Did you mean key:create?)');
  });

  it('names the unreachable server, soon', async () => {
    const env = { MONGODB_URI: 'mongodb://127.0.0.1:9/x?directConnection=true', DATABASE_TIMEOUT: '1s' };
    const { code, stderr } = await cliProcess(['company:list'], '', env);
    expect(code).toBe(1);
    expect(stderr).toContain('The database does not answer');
  });

  it('names the wrong setting', async () => {
    const { code, stderr } = await cliProcess(['company:list'], '', { REDIS_URL: 'http://x' });
    expect(code).toBe(1);
    expect(stderr).toContain('REDIS_URL must start with redis://');
  });
});

describe('company:create, company:update, company:list', () => {
  it('creates a company whose keys work', async () => {
    expect(company).toEqual({
      company: expect.stringMatching(/^[0-9a-f]{24}$/),
      api_key: expect.stringMatching(/^pk_live_/),
      service_key: expect.stringMatching(/^sk_live_/),
    });
    const { company: owner } = await admin.made('/products', PRODUCT);
    expect(owner.$oid).toBe(company.company);
  });

  it('changes the given settings and lists the companies', async () => {
    const args = ['--company', company.company, '--proration-mode', 'second', '--tax-behavior', 'exclusive'];
    const updated = await json('company:update', ...args, '--hide-inactive-products', 'yes');
    expect(updated).toEqual({
      company: company.company,
      name: 'Shop',
      timezone: 'Europe/Berlin',
      proration_mode: 'second',
      tax_behavior: 'exclusive',
      mode: 'live',
      users_edit_identity: false,
      hide_inactive_products: true,
      seller: '',
      tax_mode: 'manual',
      customers: '',
    });
    expect(await json('company:list')).toContainEqual(updated);
  });

  it('changes what customers may do, by a file that is checked as a request is', async () => {
    const path = join(mkdtempSync(join(tmpdir(), 'commerce-cli-')), 'customers.json');
    const update = ['company:update', '--company', company.company, '--customers'];
    writeFileSync(path, JSON.stringify({ stop: 'period_end', trials: 'once', pause: false }));
    expect(await json(...update, path)).toMatchObject({
      customers: 'pause=false stop=period_end trials=once',
    });
    writeFileSync(path, JSON.stringify({ stop: 'sometimes' }));
    const { code, stderr } = await cli([...update, path]);
    expect([code, stderr]).toEqual([1, expect.stringContaining('customers.stop')]);
    expect(await json(...update, 'default')).toMatchObject({ customers: '' });
  });
});

describe('key:create, key:list, key:revoke', () => {
  it('makes keys of the mode of the company only', async () => {
    const args = ['--company', company.company, '--kind', 'api', '--mode', 'test'];
    const { code, stderr } = await cli(['key:create', ...args]);
    expect([code, stderr]).toEqual([1, expect.stringContaining('mode must be live')]);
  });

  it('makes no key that has expired', async () => {
    const args = ['--company', company.company, '--kind', 'service'];
    const past = await cli(['key:create', ...args, '--expires', '2020-01-31']);
    expect([past.code, past.stderr]).toEqual([1, expect.stringContaining('must lie in the future')]);
  });

  it('makes a key that works until it is revoked', async () => {
    const made = await json(
      'key:create',
      '--company',
      company.company,
      '--kind',
      'service',
      '--mode',
      'live',
    );
    const as = admin.as(made.key);
    expect((await as.post('/products', PRODUCT)).status).toBe(200);

    const refused = await cliProcess(['key:revoke', '--company', company.company, '--key', made.id]);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('--yes');
    const denied = await cliProcess(['key:revoke', '--company', company.company, '--key', made.id], 'n\n');
    expect([denied.code, denied.stderr]).toEqual([1, expect.stringContaining('Nothing was done.')]);
    const agreed = await cliProcess(['key:revoke', '--company', company.company, '--key', made.key], 'y\n');
    expect(agreed.code).toBe(0);

    const keys = (await json('key:list', '--company', company.company)) as { id: string; revoked: string }[];
    expect(keys.find(({ id }) => id === made.id)?.revoked).toMatch(/^\d{4}-/);
    expect(JSON.stringify(keys)).not.toContain(made.key.split('_')[3]);
    await new Promise((resolve) => setTimeout(resolve, 5100));
    expect((await as.post('/products', PRODUCT)).status).toBe(401);
  });
});

describe('key:revoke', () => {
  it('ends the keys that the key made, reports so before and after, and names those that it did not end', async () => {
    const of = ['--company', company.company];
    const maker = await json('key:create', ...of, '--kind', 'service');
    const child = await admin.as(maker.key).made('/keys', { kind: 'service' });
    const successor = await admin
      .as(child.key)
      .made(`/keys/${idIn(child)}/roll`, { expires: Date.now() + 60_000 });
    const listed = (await json('key:list', ...of)) as { id: string; made_by: string | null }[];
    expect(listed.find(({ id }) => id === idIn(successor))?.made_by).toBe(maker.id);

    const rolled = await cliProcess(['key:revoke', ...of, '--key', idIn(child)], 'y\n');
    expect(rolled.stdout).toContain(`its successor ${idIn(successor)} is not revoked`);
    const asked = await cliProcess(['key:revoke', ...of, '--key', maker.id], 'n\n');
    expect(asked.stderr).toContain('and the key that ends with it for');
    expect(await json('key:revoke', ...of, '--key', maker.id, '--yes')).toMatchObject({
      ended: [idIn(successor)],
    });
    expect((await admin.read(`/keys/${idIn(successor)}`)).revoked).not.toBeNull();
  });
});

describe('user:create and user:token', () => {
  it('create a user who can call', async () => {
    const args = ['--company', company.company, '--name', 'Ada', '--email', 'ada@example.com'];
    const made = await json('user:create', ...args);
    expect(made).toMatchObject({ name: 'Ada', email: 'ada@example.com', timezone: null });
    const token = await json('user:token', '--company', company.company, '--user', made.user);
    expect(token).toEqual({
      user: made.user,
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 900,
    });
    const read = await admin.as(token.access_token).read(`/users/${String(made.user)}`);
    expect(idIn(read)).toBe(made.user);
    const again = await cli(['user:create', ...args]);
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('email')]);
  });
});

describe('A key with an expiry', () => {
  it('works until it expires', async () => {
    const { made, expires, as, early } = expiring;
    expect(Date.parse(made.expires)).toBe(Date.parse(expires));
    expect(early).toBe(200);
    await new Promise((resolve) => setTimeout(resolve, Date.parse(expires) - Date.now() + 500));
    expect((await as.get('/users')).status).toBe(401);
  });
});
