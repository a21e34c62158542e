import { spawnSync } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * @param {string} name
 * @returns {string | null} the full path of the program that a shell would start
 */
export function onPath(name) {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const path = join(folder, name);
    if (folder && isProgram(path)) return path;
  }
  return null;
}

/** @param {string} path */
export function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/**
 * Whether a program runs at all: one that was kept or downloaded may need a library that this system lacks.
 *
 * @param {string} path
 * @param {string[]} [args]
 * @returns {string | null} what it printed, or null when it failed
 */
export function tryOut(path, args = ['--version']) {
  const result = spawnSync(path, args, { encoding: 'utf8', timeout: 20_000 });
  return result.status === 0 ? `${result.stdout}${result.stderr}`.trim() : null;
}
