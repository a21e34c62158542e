import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';

import { StartError } from '#scripts/system/errors.mjs';
import { ROOT } from '#scripts/system/settings.mjs';

import type { Image } from './images.js';
import { override } from './override.js';

/** The files that name images. */
export const FILES = ['Dockerfile', 'docker-compose.yml'] as const;

/** A fresh clone does not have these. */
const NOT_CLONED = new Set(['.git', '.env', '.data', 'node_modules', 'dist', 'coverage']);

/** Where this machine reaches the API and the card provider. */
export interface Ports {
  readonly PORT: number;
  readonly SANDBOX_PORT: number;
}

/** A copy of the checkout that Compose runs beside any other. */
export interface Checkout {
  readonly folder: string;
  /** The project's name; the image has the same. */
  readonly name: string;
  /** Every image of the build has it, also those without a name. */
  readonly label: string;
}

/** Fills the folder, which gives the project its name. */
export function copyCheckout(
  folder: string,
  images: readonly Image[],
  { PORT, SANDBOX_PORT }: Ports,
): Checkout {
  const name = basename(folder).toLowerCase();
  const label = `commerce-service.test=${name}`;
  const isCloned = (path: string): boolean =>
    !relative(ROOT, path)
      .split('/')
      .some((part) => NOT_CLONED.has(part));
  cpSync(ROOT, folder, { recursive: true, filter: isCloned });
  for (const file of FILES) {
    const path = join(folder, file);
    const text = readFileSync(path, 'utf8').replace(/^FROM .*$/gm, `$&\nLABEL ${label}`);
    writeFileSync(
      path,
      images.reduce((all, { pinned, used }) => all.replaceAll(pinned, used ?? pinned), text),
    );
  }
  const added = override(name, {
    mongo: images.some(({ used }) => used === 'mongo:stand-in'),
    any: images.some(({ pinned, used }) => used !== pinned),
  });
  writeFileSync(join(folder, 'docker-compose.override.yml'), JSON.stringify(added));
  makeSettings(folder, {
    COMPOSE_PROJECT_NAME: name,
    PORT: String(PORT),
    SANDBOX_PORT: String(SANDBOX_PORT),
  });
  return { folder, name, label };
}

/** The passwords, by the command that docker-compose.yml names, and the few settings that a test needs. */
function makeSettings(folder: string, settings: Readonly<Record<string, string>>): void {
  const text = readFileSync(join(folder, 'docker-compose.yml'), 'utf8');
  const command = /^# +(for name in .*; done)$/m.exec(text)?.[1] ?? 'false';
  const { status } = spawnSync('bash', ['-ceu', command], { cwd: folder, stdio: 'inherit' });
  if (status !== 0) throw new StartError('The passwords could not be made as docker-compose.yml says.');
  const all: Record<string, string> = {
    ...settings,
    // The endpoint is on this machine. A delivery that fails while a database is away is soon tried again.
    WEBHOOK_ALLOW_PRIVATE: 'true',
    WEBHOOK_RETRY_DELAYS: '2s,5s,10s,30s',
  };
  const lines = Object.entries(all).map(([setting, value]) => `${setting}=${value}\n`);
  writeFileSync(join(folder, '.env'), lines.join(''), { flag: 'a' });
}
