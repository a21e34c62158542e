import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { cacheDir } from '@commerce/stack';
import { idIn } from '@commerce/testing';

import { readPage } from '../docs/page.js';
import { runCommands } from '../docs/run-commands.js';
import { World } from '../world.js';

const run = promisify(execFile);
const GENERATOR = 'openapi-python-client==0.29.1';

/** A Python environment with the generator, shared by all checkouts of this user. */
async function pythonWithGenerator(): Promise<string> {
  const kept = join(cacheDir(), GENERATOR.replace('==', '-'));
  if (!existsSync(kept)) {
    const fresh = `${kept}.${String(process.pid)}`;
    await run('python3', ['-m', 'venv', fresh]);
    await run(join(fresh, 'bin/python'), ['-m', 'pip', 'install', '--quiet', GENERATOR]);
    try {
      renameSync(fresh, kept);
    } catch {
      // Another run was faster.
      rmSync(fresh, { recursive: true, force: true });
    }
  }
  return join(kept, 'bin');
}

describe('A client for Python, generated from openapi.json', () => {
  const folder = mkdtempSync(join(tmpdir(), 'commerce-python-'));
  const env: NodeJS.ProcessEnv = { ...process.env, PYTHONPATH: join(folder, 'client') };
  let world: World;

  beforeAll(async () => {
    world = await World.start();
    env['PATH'] = `${await pythonWithGenerator()}:${process.env['PATH'] ?? ''}`;
  }, 300_000);

  afterAll(async () => {
    await world.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('covers every route, without a warning', async () => {
    const args = ['-m', 'openapi_python_client', 'generate', '--fail-on-warning'];
    const paths = ['--path', 'openapi.json', '--config', 'clients/python/generator.yml'];
    const output = ['--output-path', join(folder, 'client')];
    const { stdout } = await run('python', [...args, ...paths, ...output], { env });
    expect(stdout).not.toContain('WARNING');
  });

  it('works as its page describes', async () => {
    const { programs, printed } = readPage('clients/python/README.md');
    for (const [file, code] of programs) writeFileSync(join(folder, file), code);
    const keys = { API: world.baseUrl, API_KEY: world.apiKey, SERVICE_KEY: world.serviceKey };
    const output = await runCommands('python recipe.py', {
      folder,
      env: { ...env, ...keys },
      awaited: printed,
    });
    expect(output).toBe(printed);
  });

  it('changes the one field that it names', async () => {
    const product = await world.admin.made('/products', {
      ...{ name: 'Tea', price: 10, currency: 'EUR', active: true, discount: 0.25, vat: 0.2 },
      ...{ description: 'Green', short_description: 'G', path: '/tea', default_position: [13.4, 52.5] },
    });
    const resource = await world.admin.made('/resources', {
      ...{ name: 'Van', description: 'White', reference_id: 'V1', tags: ['a'] },
      ...{ method: 'asset', status: 'IDLE' },
    });
    const endpoint = (await world.receiver()).url;
    const webhook = await world.admin.made('/webhooks', {
      ...{ event_type: 'user.created', endpoint, active: false },
    });
    writeFileSync(join(folder, 'one_field.py'), ONE_FIELD);
    const ids = [product, resource, webhook].map(idIn);
    const keys = { API: world.baseUrl, API_KEY: world.apiKey, SERVICE_KEY: world.serviceKey };
    const { stdout } = await run('python', [join(folder, 'one_field.py'), ...ids], {
      env: { ...env, ...keys },
    });
    expect(stdout.trim().split(' ')).toEqual(['200', '200', '200']);
    const read = (path: string, one: any): Promise<any> => world.admin.read(`/${path}/${idIn(one)}`);
    const later = { modified: expect.any(Object), updated: expect.any(Object) };
    const changed = (one: any, change: object): object => {
      const dates = Object.entries(later).filter(([name]) => name in one);
      return { ...one, ...Object.fromEntries(dates), ...change };
    };
    expect(await read('products', product)).toEqual(changed(product, { price: 12, final_price: 9 }));
    expect(await read('resources', resource)).toEqual(changed(resource, { name: 'Bus' }));
    expect(await read('webhooks', webhook)).toMatchObject({
      ...{ active: false, event_type: 'user.updated', endpoint },
    });
  });
});

/** Changes one field each of a product, a resource and a webhook. */
const ONE_FIELD = `
import os, sys
from commerce_service_client import AuthenticatedClient, models
from commerce_service_client.api.products import products_update
from commerce_service_client.api.resources import resources_update
from commerce_service_client.api.webhooks import webhooks_update

client = AuthenticatedClient(
    base_url=os.environ["API"],
    token=os.environ["SERVICE_KEY"],
    headers={"X-Service-Api-Key": os.environ["API_KEY"]},
)
product, resource, webhook = sys.argv[1:]
replies = [
    products_update.sync_detailed(product, client=client, body=models.UpdateProductBody(price=12)),
    resources_update.sync_detailed(resource, client=client, body=models.UpdateResourceBody(name="Bus")),
    webhooks_update.sync_detailed(
        webhook,
        client=client,
        body=models.UpdateWebhookBody(event_type=models.UpdateWebhookBodyEventType("user.updated")),
    ),
]
print(*[int(reply.status_code) for reply in replies])
`;
