import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { freePort } from '@commerce/testing';

import { World } from '../world.js';
import { installClient } from './installed-client.js';
import { readPage } from './page.js';
import { runCommands } from './run-commands.js';

const RECIPES = readdirSync('docs/recipes')
  .filter((name) => name !== 'README.md')
  .map((name) => `docs/recipes/${name}`);

const PAGES = ['docs/quick-start.md', 'clients/typescript/README.md', ...RECIPES];

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

  it.each(PAGES)('%s prints the output that it shows, also when it runs again', async (path) => {
    const { programs, commands, printed } = readPage(path);
    expect(printed).not.toBe('');
    for (const [file, code] of programs) writeFileSync(join(folder, file), code);
    const env = {
      API: world.baseUrl,
      API_KEY: world.apiKey,
      SERVICE_KEY: world.serviceKey,
      PORT: String(await freePort()),
    };
    const lines = commands === '' ? 'node recipe.mjs' : commands;
    for (let run = 1; run <= 2; run++)
      expect(await runCommands(lines, { folder, env, awaited: printed })).toBe(printed);
    // A recipe leaves no webhook that the service goes on calling.
    expect(await world.admin.read('/webhooks')).toEqual([]);
  });
});
