import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { StartError } from '../system/errors.mjs';
import { elapsed } from '../system/report.mjs';
import { ROOT } from '../system/settings.mjs';

/**
 * @import { Log } from '../system/report.mjs'
 *
 * @typedef {{version?: string, optional?: boolean, devOptional?: boolean, peer?: boolean}} LockEntry
 */

/**
 * @param {string} path of a lock file
 * @returns {Record<string, LockEntry>}
 */
const read = (path) => JSON.parse(readFileSync(join(ROOT, path), 'utf8')).packages;

/**
 * Compares the lock file with npm's own list of what it has installed. An install by hand therefore counts as much as
 * ours, and one that was interrupted or left out the development packages does not.
 *
 * @returns {string | null} what is wrong, or null when node_modules matches the lock file
 */
function packagesAmiss() {
  if (!existsSync(join(ROOT, 'node_modules/.package-lock.json'))) return 'they are not installed yet';
  const wanted = read('package-lock.json');
  const installed = read('node_modules/.package-lock.json');
  for (const [path, entry] of Object.entries(wanted)) {
    if (path === '') continue;
    const found = installed[path];
    if (!found && !entry.optional && !entry.devOptional && !entry.peer) return `${path} is missing`;
    if (found && found.version !== entry.version) return `${path} is not ${entry.version}`;
  }
  return null;
}

/**
 * Runs `npm ci` when it is needed. A signal to this script ends it, too.
 *
 * @param {Log} log
 */
export async function ensurePackages(log) {
  const amiss = packagesAmiss();
  if (!amiss) return log('Packages', 'as package-lock.json says');
  const since = performance.now();
  log('Packages', `npm ci, because ${amiss} (half a minute to two minutes)`);
  const progress = setInterval(() => log('Packages', `npm is still working, ${elapsed(since)}`), 10_000);
  // The compiler is a development package, and NODE_ENV=production would leave those out.
  const args = ['ci', '--include=dev', '--no-fund', '--no-audit', '--loglevel=error'];
  const npm = spawn('npm', args, { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] });
  const end = (/** @type {NodeJS.Signals} */ signal) => npm.kill(signal);
  const signals = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);
  signals.forEach((signal) => process.on(signal, end));
  const [code] = await once(npm, 'close').catch((/** @type {unknown} */ error) => [String(error)]);
  clearInterval(progress);
  signals.forEach((signal) => process.off(signal, end));
  if (code !== 0) throw new StartError('The packages could not be installed; see above.');
  log('Packages', `installed in ${elapsed(since)}`);
}
