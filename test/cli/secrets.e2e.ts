import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Client, idIn } from '@commerce/testing';

import { createApi } from '../../apps/api/src/create-api.js';
import { World } from '../world.js';
import { cliProcess, json } from './command-line.js';

let world: World;
beforeAll(async () => {
  world = await World.start({ worker: false });
});
afterAll(() => world.stop());

describe('secrets:rotate', () => {
  it('seals all secrets with the first key, after which the others are no longer needed', async () => {
    const { admin: merchant } = world;
    const made = await merchant.made('/webhooks', {
      event_type: 'user.created',
      endpoint: (await world.receiver()).url,
    });
    const { client } = await world.user();
    await client.with({ 'Idempotency-Key': 'rotate' }).made('/payment_methods', { payment_method: 'stripe' });
    const before = readFileSync(join(String(process.env['DATA_DIR']), 'secrets.key'), 'utf8').trim();
    const after = 'cd'.repeat(32);
    const rotate = async (keys: string): Promise<any> => {
      const { stdout, stderr } = await cliProcess(['secrets:rotate', '--json'], '', { SECRET_KEYS: keys });
      return stdout === '' ? stderr : JSON.parse(stdout);
    };
    expect(await rotate(`${after},${before}`)).toMatchObject({
      'webhooks.secrets.current': 1,
      'payment_methods.setup_secret': 1,
      'idempotency_keys.body': 1,
    });
    expect(await rotate(after)).toMatchObject({ 'webhooks.secrets.current': 0 });
    process.env['SECRET_KEYS'] = after;
    const fresh = await createApi();
    try {
      await fresh.listen(0, '127.0.0.1');
      const caller = new Client(await fresh.getUrl(), { apiKey: world.apiKey, bearer: world.serviceKey });
      expect((await caller.get(`/webhooks/${idIn(made)}`)).body.secret).toBe(made.secret);
    } finally {
      await fresh.close();
      delete process.env['SECRET_KEYS'];
    }
  });
});

describe('key:rotate', () => {
  it('asks first, and makes tokens invalid', async () => {
    expect((await cliProcess(['key:rotate'], 'no\n')).code).toBe(1);
    await world.user();
    expect((await json('key:rotate', '--yes')).deleted).toBeGreaterThan(0);
  });
});
