/**
 * Compiles the apps and, in a checkout, the tools in one pass of the Nest CLI.
 *
 * One `nest build` per app would parse and check the shared libraries four times; scripts/tsconfig.build.json names
 * all apps instead. The output is moved into place when it is complete, so a failed build leaves the last good one,
 * and nothing of removed sources survives.
 */
import { createHash } from 'node:crypto';
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withLock } from '../processes/lock.mjs';
import { StartError } from '../system/errors.mjs';
import { elapsed } from '../system/report.mjs';
import { ROOT } from '../system/settings.mjs';

/**
 * @import { Processes } from '../processes/processes.mjs'
 * @import { Log } from '../system/report.mjs'
 */

const DIST = join(ROOT, 'dist');
const STAMP = join(DIST, '.sources');
const CACHE = join(ROOT, 'node_modules/.cache/commerce-service');
const OUTPUT = join(CACHE, 'dist');

/** A digest of everything the output depends on: names and contents, so a fresh clone or a touch is no change. */
function sourcesDigest() {
  const files = ['tsconfig.json', 'scripts/tsconfig.build.json', 'nest-cli.json', 'package-lock.json'];
  for (const folder of ['apps', 'libs', 'tools']) {
    // The image is built without the tools.
    if (!existsSync(join(ROOT, folder))) continue;
    for (const name of readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })) {
      if (/\.(ts|json|js|css)$/.test(name) && !name.endsWith('.spec.ts')) files.push(join(folder, name));
    }
  }
  const hash = createHash('sha256');
  for (const file of files.sort())
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(ROOT, file)))
      .update('\0');
  return hash.digest('hex');
}

function isBuilt() {
  return existsSync(STAMP) && readFileSync(STAMP, 'utf8') === sourcesDigest();
}

/**
 * Builds when the sources have changed since the last build.
 *
 * @param {{processes: Processes, log: Log, force?: boolean}} context
 */
export async function ensureBuilt({ processes, log, force = false }) {
  if (!force && isBuilt()) return log('Build', 'dist is up to date');
  const lock = join(CACHE, 'build.lock');
  const waiting = () => log('Build', 'another build is running; waiting for it');
  await withLock(
    lock,
    () => (!force && isBuilt() ? log('Build', 'done by the other build') : build({ processes, log })),
    waiting,
  );
}

/** What browsers are sent as it is: the files in folders named `assets`. */
function copyAssets() {
  for (const name of readdirSync(join(ROOT, 'apps'), { recursive: true, encoding: 'utf8' })) {
    if (!/\/assets\/[^/]+\.(js|css)$/.test(name)) continue;
    cpSync(join(ROOT, 'apps', name), join(OUTPUT, 'apps', name));
  }
}

/** @param {{processes: Processes, log: Log}} context */
async function build({ processes, log }) {
  const since = performance.now();
  log('Build', 'compiling the apps (10 to 30 s)');
  const digest = sourcesDigest();
  rmSync(OUTPUT, { recursive: true, force: true });
  const nest = join(ROOT, 'node_modules/@nestjs/cli/bin/nest.js');
  const args = [nest, 'build', 'api', '--path', 'scripts/tsconfig.build.json'];
  const { code, output } = await processes.run(process.execPath, args, {
    cwd: ROOT,
    onLine: () => undefined,
  });
  if (code !== 0) throw new StartError(`${output.trim()}\n\nThe build failed; see above.`);
  // The compiler also copies the scripts whose types the tools use; at run time `#scripts/` names the originals.
  rmSync(join(OUTPUT, 'scripts'), { recursive: true, force: true });
  copyAssets();
  writeFileSync(join(OUTPUT, '.sources'), digest);
  rmSync(DIST, { recursive: true, force: true });
  renameSync(OUTPUT, DIST);
  log('Build', `done in ${elapsed(since)}`);
}
