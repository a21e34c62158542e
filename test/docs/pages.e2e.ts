import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { freePort } from '@commerce/testing';

import { World } from '../world.js';
import { installClient } from './installed-client.js';
import { readPage } from './page.js';

/** How long a page may run. */
const PATIENCE_MS = 45_000;

const RECIPES = readdirSync('docs/recipes')
  .filter((name) => name !== 'README.md')
  .map((name) => `docs/recipes/${name}`);

describe('The code in the documentation', () => {
  const folder = mkdtempSync(join(tmpdir(), 'commerce-docs-'));
  let world: World;

  beforeAll(async () => {
    world = await World.start();
    installClient(folder);
  });

  afterAll(async () => {
    await world.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it.each(['docs/quick-start.md', ...RECIPES])('%s prints what it says', async (path) => {
    const { programs, commands, printed } = readPage(path);
    expect(printed).not.toBe('');
    for (const [file, code] of programs) writeFileSync(join(folder, file), code);
    const lines = commands === '' ? 'node recipe.mjs' : commands;
    const output = await outputOf(lines, printed, {
      API: world.baseUrl,
      API_KEY: world.apiKey,
      SERVICE_KEY: world.serviceKey,
      PORT: String(await freePort()),
    });
    expect(output).toBe(printed);
  });

  /** Runs shell commands until they have printed what they should, or have ended. What they started ends with them. */
  async function outputOf(commands: string, awaited: string, env: NodeJS.ProcessEnv): Promise<string> {
    const child = spawn('bash', ['-c', commands], {
      cwd: folder,
      env: { ...process.env, ...env },
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    let errors = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
    const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
    const complete = new Promise<void>((resolve) => {
      child.stdout.on('data', () => {
        if (output === awaited) resolve();
      });
    });
    const timeout = AbortSignal.timeout(PATIENCE_MS);
    const late = new Promise<void>((resolve) => timeout.addEventListener('abort', () => resolve()));
    await Promise.race([closed, complete, late]);
    endGroup(child);
    await closed;
    return output === awaited ? output : output + errors;
  }
});

/** Ends a process with all that it has started. */
function endGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // They have all ended by themselves.
  }
}
