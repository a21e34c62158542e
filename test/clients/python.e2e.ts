import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { cacheDir } from '#scripts/system/settings.mjs';

import { readPage } from '../docs/page.js';
import { runCommands } from '../docs/run-commands.js';
import { World } from '../world.js';

const run = promisify(execFile);
const GENERATOR = 'openapi-python-client==0.29.1';

/** A Python with the generator, kept for all checkouts of this user. */
async function pythonWithGenerator(): Promise<string> {
  const kept = join(cacheDir(), GENERATOR.replace('==', '-'));
  if (!existsSync(kept)) {
    const fresh = `${kept}.${String(process.pid)}`;
    await run('python3', ['-m', 'venv', fresh]);
    await run(join(fresh, 'bin/python'), ['-m', 'pip', 'install', '--quiet', GENERATOR]);
    try {
      renameSync(fresh, kept);
    } catch {
      // Another run was quicker.
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

  it('does what its page says', async () => {
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
});
