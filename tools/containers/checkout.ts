import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';

import { StartError } from '#scripts/system/errors.mjs';
import { ROOT } from '#scripts/system/settings.mjs';

import type { Image } from './images.js';
import { override } from './override.js';

/** The files that name images. */
export const FILES = ['Dockerfile', 'docker-compose.yml'] as const;

/** Files that a fresh clone lacks. */
const NOT_CLONED = new Set(['.git', '.env', '.data', 'node_modules', 'dist', 'coverage']);

/** The addresses at which this machine reaches the API and the card provider. */
export interface Ports {
  readonly PORT: number;
  readonly SANDBOX_PORT: number;
}

/** A copy of the checkout that Compose can run beside any other. */
export interface Checkout {
  readonly folder: string;
  /** The name of the project and of its image. */
  readonly name: string;
  /** The label of every image of the build, including those without a name. */
  readonly label: string;
}

/** Copies the checkout into the folder, whose name is the project's name. */
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

/** Creates the passwords, by the command in docker-compose.yml, and the few settings that the test needs. */
function makeSettings(folder: string, settings: Readonly<Record<string, string>>): void {
  const text = readFileSync(join(folder, 'docker-compose.yml'), 'utf8');
  const command = /^# +(for name in .*; done)$/m.exec(text)?.[1] ?? 'false';
  const { status } = spawnSync('bash', ['-ceu', command], { cwd: folder, stdio: 'inherit' });
  if (status !== 0) throw new StartError('The passwords could not be made as docker-compose.yml says.');
  const all: Record<string, string> = {
    ...settings,
    // The endpoint is on this machine. A delivery that fails while a database is down is soon retried.
    WEBHOOK_ALLOW_PRIVATE: 'true',
    WEBHOOK_RETRY_DELAYS: '2s,5s,10s,30s',
  };
  const lines = Object.entries(all).map(([setting, value]) => `${setting}=${value}\n`);
  writeFileSync(join(folder, '.env'), lines.join(''), { flag: 'a' });
}
