import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { StartError } from '../system/errors.mjs';
import { elapsed } from '../system/report.mjs';
import { ROOT } from '../system/settings.mjs';

/**
 * @import { Processes } from '../processes/processes.mjs'
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
 * Runs `npm ci` when it is needed.
 *
 * @param {{processes: Processes, log: Log}} context
 */
export async function ensurePackages({ processes, log }) {
  const amiss = packagesAmiss();
  if (!amiss) return log('Packages', 'as package-lock.json says');
  const since = performance.now();
  log('Packages', `npm ci, because ${amiss} (half a minute to two minutes)`);
  const progress = setInterval(() => log('Packages', `npm is still working, ${elapsed(since)}`), 10_000);
  try {
    const first = await npm(processes, ['ci']);
    if (first.code === 0) return log('Packages', `installed in ${elapsed(since)}`);
    // A registry without the optional packages of other systems makes `npm ci` reject the lock file;
    // `npm install --no-save` keeps to its versions and changes nothing in the checkout.
    if (!/^npm error Missing: /m.test(first.output)) throw failure(first.output);
    log('Packages', 'npm ci misses optional packages of other systems; npm install --no-save instead');
    const second = await npm(processes, ['install', '--no-save']);
    if (second.code !== 0) throw failure(second.output);
    log('Packages', `installed in ${elapsed(since)}`);
  } finally {
    clearInterval(progress);
  }
}

/**
 * @param {Processes} processes
 * @param {string[]} command
 */
function npm(processes, command) {
  // The compiler is a development package, and NODE_ENV=production would leave those out.
  return processes.run('npm', [...command, '--include=dev', '--no-fund', '--no-audit'], {
    cwd: ROOT,
    // Its own download of a server is wanted only if nothing closer is found; see mongodb-choices.mjs.
    env: { ...process.env, MONGOMS_DISABLE_POSTINSTALL: '1' },
    onLine: () => undefined,
  });
}

/** @param {string} output */
function failure(output) {
  const lines = output.split('\n').filter((line) => !line.startsWith('npm warn'));
  return new StartError(
    `${lines.slice(0, 20).join('\n').trim()}\n\nThe packages could not be installed; see above.`,
  );
}
