import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { elapsed, type Log } from '#scripts/system/report.mjs';
import { ROOT } from '#scripts/system/settings.mjs';
import { onPath, Processes, type ToolContext } from '@commerce/stack';
import { freePort } from '@commerce/testing';

import { copyCheckout, FILES, type Ports } from './checkout.js';
import { check } from './checks.js';
import { Deployment } from './deployment.js';
import { Docker } from './docker.js';
import { imagesIn, type Image } from './images.js';
import { remove } from './removal.js';

/**
 * `npm run test:containers`: builds the image from a copy of the checkout, deploys it with Docker Compose, kills
 * containers while customers subscribe, and removes everything. Without Docker it says so and exits with 0.
 */
export async function main(context: ToolContext): Promise<number> {
  const { env, processes, log } = context;
  const docker = new Docker(processes, env, ROOT);
  const reason = await reasonToSkip(docker);
  if (reason !== null) return skipped(context, reason);
  const files = FILES.map((file) => readFileSync(join(ROOT, file), 'utf8'));
  const images = await imagesIn(files.join('\n'), docker);
  for (const { pinned, used } of images)
    log('Images', `${pinned}: ${used === pinned ? 'official' : String(used)}`);
  const missing = images.filter(({ used }) => used === null).map(({ pinned }) => pinned);
  if (missing.length > 0) return skipped(context, `these images cannot be pulled: ${missing.join(', ')}`);
  const wrong = await inFolder(context, images);
  for (const line of wrong) log('Wrong', line);
  if (wrong.length === 0) log('Done', 'each subscription was charged once, and nothing was left behind');
  return wrong.length === 0 ? 0 : 1;
}

async function reasonToSkip(docker: Docker): Promise<string | null> {
  if (onPath('docker') === null) return 'there is no docker on the PATH';
  if (!(await docker.works('version'))) return 'no Docker daemon answers';
  return (await docker.works('compose', 'version')) ? null : '`docker compose` is not installed';
}

function skipped({ log }: ToolContext, reason: string): number {
  log('Skipped', reason);
  return 0;
}

/** Deploys from a separate folder. Returns the errors, and the leftovers after removal. */
async function inFolder(context: ToolContext, images: readonly Image[]): Promise<string[]> {
  const { env, processes, log } = context;
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'commerce-containers-'));
  // An interrupt ends the commands of the run, but not the clean-up.
  const cleaners = new Processes({ log });
  cleaners.watch({ remove: folder });
  const wrong: string[] = [];
  try {
    const ports = { PORT: await freePort(), SANDBOX_PORT: await freePort() };
    const checkout = copyCheckout(folder, images, ports);
    try {
      const deployment = new Deployment(checkout, new Docker(processes, env, folder));
      wrong.push(...(await deploy(deployment, ports, log)));
    } finally {
      log('Remove', 'containers, networks, volumes and images');
      wrong.push(...(await remove(checkout, new Docker(cleaners, env, folder))));
    }
  } finally {
    await cleaners.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  return wrong;
}

async function deploy(deployment: Deployment, ports: Ports, log: Log): Promise<string[]> {
  const since = performance.now();
  log('Image', 'npm ci and build (two to ten minutes)');
  const progress = setInterval(() => log('Image', `still being built, ${elapsed(since)}`), 30_000);
  await deployment.build().finally(() => clearInterval(progress));
  log('Image', `built in ${elapsed(since)}`);
  const begun = performance.now();
  try {
    await deployment.up({ workers: 2 });
    log('Start', `all healthy after ${elapsed(begun)}`);
    return await check(deployment, ports, log);
  } catch (error) {
    log('Logs', await deployment.logs().catch(String));
    throw error;
  }
}
