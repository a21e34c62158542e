import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { BUNDLES } from '#scripts/system/settings.mjs';
import { idIn } from '@commerce/testing';
import sharp from 'sharp';

import { contentOf, made, pngOf } from '../api/image-files.js';
import { ServiceProcesses } from '../processes.js';

/** The parts of an app that a bundle could lose: classes that are there twice, files that lie beside the code, names of sources. */

let service: ServiceProcesses;

beforeAll(async () => {
  service = await ServiceProcesses.start();
}, 120_000);
afterAll(() => service.stop());

const api = (): string => service.admin.baseUrl;
const documented = (): unknown => JSON.parse(readFileSync('openapi.json', 'utf8'));
const described = async (): Promise<unknown> => (await fetch(`${api()}/docs-json`)).json();

describe('The bundle of the API', () => {
  it('describes what openapi.json describes', async () => {
    expect(await described()).toEqual(documented());
  });

  it('checks what it is sent', async () => {
    const refused = await service.admin.post('/products', { name: 'Tea', price: 'much', currency: 'EUR' });
    expect(refused).toMatchObject({ status: 422, body: { errors: [{ path: 'price' }] } });
  });

  it('decodes images', async () => {
    const id = idIn(await made(service.admin, await pngOf(20_000)));
    const { status, body } = await contentOf(api(), id, {}, { width: '64' });
    expect(status).toBe(200);
    expect((await sharp(body as Buffer).metadata()).width).toBe(64);
  });

  it('shows the queues, and the files of which their page is made', async () => {
    const board = `http://127.0.0.1:${service.env['API_MANAGEMENT_PORT'] ?? ''}/queues/`;
    const page = await (await fetch(board)).text();
    expect(page).toContain('Commerce queues');
    const files = [...page.matchAll(/(?:src|href)="([^"]*static[^"]+)"/g)].map(([, path]) => path!);
    expect(files.length).toBeGreaterThan(1);
    for (const path of files) expect([path, (await fetch(new URL(path, board))).status]).toEqual([path, 200]);
  });

  it('serves the console', async () => {
    const page = await fetch(`${api()}/console`);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  });
});

it('The maps of the bundles name our sources', () => {
  const maps = readdirSync(BUNDLES).filter((name) => name.endsWith('.map'));
  const sources = maps.flatMap(
    (name): string[] => JSON.parse(readFileSync(join(BUNDLES, name), 'utf8')).sources,
  );
  const ours = sources.map((name) => resolve(BUNDLES, name)).filter((name) => !name.includes('node_modules'));
  expect(ours).toContain(resolve('libs/billing/src/cycle/keyed-mutex.ts'));
  expect(ours.filter((name) => !existsSync(name))).toEqual([]);
});

it('A bundle that is made through a link finds what lies beside the code', () => {
  const folder = mkdtempSync(resolve('node_modules/.cache/bundles-'));
  const [real, link] = [join(folder, 'real'), join(folder, 'link')];
  try {
    for (const part of ['apps', 'libs', 'clients'])
      cpSync(join('dist', part), join(real, part), { recursive: true });
    symlinkSync(real, link);
    const script = `import { bundleApps } from '#scripts/setup/bundle.mjs'; await bundleApps(${JSON.stringify(link)})`;
    execFileSync(process.execPath, ['--input-type=module', '--eval', script]);
    const api = readFileSync(join(real, 'bundles/api.js'), 'utf8');
    expect(api.includes('new URL("../apps/api/src/pay/assets.js", import.meta.url)')).toBe(true);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it('The compiled files do the same, for agents that look into packages while they load', async () => {
  await service.kill('api');
  await service.run('api', 'api', 'dist/apps/api/src/main.js');
  expect(await described()).toEqual(documented());
});
