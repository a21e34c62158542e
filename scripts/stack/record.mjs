import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * What a running stack leaves in its data folder, for `npm run cli` and for the next start:
 *
 * @typedef {object} StackRecord
 * @property {{pid: number, started: string}} owner the script that runs the stack
 * @property {{mongodb: string, redis: string}} uris
 * @property {Record<string, number>} ports
 * @property {Record<string, string>} env variables the apps were given
 * @property {{name: string, pid: number, started: string, stage: number}[]} processes
 */

const path = (dataDir) => join(dataDir, 'stack.json');

/** Written with the provider's key inside, so for its owner's eyes only. */
export function writeRecord(dataDir, record) {
  writeFileSync(path(dataDir), `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600 });
}

export function removeRecord(dataDir) {
  rmSync(path(dataDir), { force: true });
}

/** @returns {StackRecord | null} the record that was left, whether or not its stack still runs */
export function readRecord(dataDir) {
  if (!existsSync(path(dataDir))) return null;
  try {
    return JSON.parse(readFileSync(path(dataDir), 'utf8'));
  } catch {
    return null; // Cut off by a kill in the middle of writing.
  }
}

/**
 * When a process began, as the system tells it: a pid alone may belong to somebody else by now.
 *
 * @param {number} pid
 * @returns {string | null} null when no such process runs; '' where the system does not tell
 */
export function startOf(pid) {
  try {
    process.kill(pid, 0);
  } catch {
    return null;
  }
  if (process.platform !== 'linux') return '';
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // A zombie has ended; its parent has not looked yet.
    return fields[0] === 'Z' ? null : fields[19];
  } catch {
    return null;
  }
}

/** @param {{pid: number, started: string}} process */
export function isRunning({ pid, started }) {
  return Number.isInteger(pid) && startOf(pid) === started;
}

export function identify(pid) {
  return { pid, started: startOf(pid) ?? '' };
}

/**
 * Ends what a script that was killed has left running; only processes that are proved to be its own.
 *
 * @param {StackRecord} record
 * @param {(text: string) => void} say
 */
export async function endLeftovers(record, say) {
  const left = (record.processes ?? []).filter(isRunning);
  if (left.length === 0) return;
  say('an earlier run was killed; waiting for what it started to end');
  await endInOrder(left);
}

/**
 * SIGTERM, and after 15 s SIGKILL, one stage after the other from the highest.
 *
 * @param {{pid: number, started: string, stage: number}[]} processes
 */
export async function endInOrder(processes) {
  for (const stage of [...new Set(processes.map((child) => child.stage))].sort((a, b) => b - a)) {
    const here = () => processes.filter((child) => child.stage === stage && isRunning(child));
    for (const { pid } of here()) process.kill(pid, 'SIGTERM');
    for (let waited = 0; here().length > 0 && waited < 15_000; waited += 100) await sleep(100);
    for (const { pid } of here()) process.kill(pid, 'SIGKILL');
  }
}

/**
 * Runs `work` while holding a lock file, one process at a time; a lock whose holder is gone is taken over.
 *
 * @template T
 * @param {string} file
 * @param {() => Promise<T>} work
 * @param {() => void} [onWait] called once when another process holds the lock
 * @returns {Promise<T>}
 */
export async function withLock(file, work, onWait) {
  mkdirSync(dirname(file), { recursive: true });
  for (let told = false; !claim(file); await sleep(250)) {
    if (!told) onWait?.();
    told = true;
  }
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}

/**
 * Takes a lock file if nobody who still runs holds it.
 *
 * @param {string} file
 * @returns {boolean} whether it is ours now; release it with rmSync
 */
export function claim(file) {
  for (let tries = 0; tries < 2; tries += 1) {
    try {
      writeFileSync(file, JSON.stringify(identify(process.pid)), { flag: 'wx' });
      return true;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    if (isHeld(file)) return false;
    rmSync(file, { force: true });
  }
  return false;
}

function isHeld(file) {
  try {
    return isRunning(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    // Half written: by somebody just now, or by somebody who was killed while writing it.
    return existsSync(file) && Date.now() - statSync(file).mtimeMs < 5_000;
  }
}
