import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf } from './errors.mjs';
import { identify, isRunning } from './identity.mjs';

/**
 * Runs `work` while holding a lock file, one process at a time; a lock whose holder is gone is taken over.
 *
 * @template T
 * @param {string} file
 * @param {() => T | Promise<T>} work
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
 * Takes a lock file unless a running process holds it.
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
      if (codeOf(error) !== 'EEXIST') throw error;
    }
    if (isHeld(file)) return false;
    rmSync(file, { force: true });
  }
  return false;
}

/** @param {string} file */
function isHeld(file) {
  try {
    return isRunning(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    // Half written: a moment ago by a running process, or earlier by one that was killed while writing it.
    return existsSync(file) && Date.now() - statSync(file).mtimeMs < 5_000;
  }
}
