import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { elapsed, StartError } from './report.mjs';
import { ROOT } from './settings.mjs';

const read = (path) => JSON.parse(readFileSync(join(ROOT, path), 'utf8')).packages;

/**
 * Compares the lock file with the list that npm leaves of what it has installed, so that an install by hand
 * counts as well as ours, and one that was broken off or left the development packages out does not.
 *
 * @returns {string | null} what is amiss, null when node_modules is as the lock says
 */
export function packagesAmiss() {
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
 * @param {{processes: import('./processes.mjs').Processes, log: import('./report.mjs').Log}} context
 */
export async function ensurePackages({ processes, log }) {
  const amiss = packagesAmiss();
  if (!amiss) return log('Packages', 'as package-lock.json says');
  const since = Date.now();
  log('Packages', `npm ci, because ${amiss} (half a minute to two minutes)`);
  // The compiler is a development package, and NODE_ENV=production would leave those out.
  const args = ['ci', '--include=dev', '--no-fund', '--no-audit'];
  const { code, output } = await processes.run('npm', args, {
    cwd: ROOT,
    // Its own download of a server is wanted only if nothing nearer is found; see mongodb.mjs.
    env: { ...process.env, MONGOMS_DISABLE_POSTINSTALL: '1' },
    onLine: (line) => line.trim() && log('Packages', line),
  });
  if (code !== 0) throw new StartError(`npm ci failed${output ? '' : ' without a word'}; see above.`);
  log('Packages', `installed in ${elapsed(since)}`);
}
