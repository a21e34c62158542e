import { spawnSync } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The full path of the program that a shell would start. */
export function onPath(name: string): string | null {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.map((folder) => join(folder, name)).find(isProgram) ?? null;
}

export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** Whether a program runs at all: one that was kept or downloaded may need a library that this system lacks. */
export function runs(path: string, args: readonly string[] = ['--version']): boolean {
  return spawnSync(path, args, { stdio: 'ignore', timeout: 20_000 }).status === 0;
}
