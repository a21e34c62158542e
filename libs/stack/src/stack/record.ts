import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { endInOrder, isRunning, type Identity, type StagedProcess } from '#scripts/system/identity.mjs';

import type { Ports } from '../settings.js';

/** A running stack leaves it in its data folder, for `npm run cli` and for the next start. */
export interface StackRecord {
  /** The script that runs the stack. */
  readonly owner: Identity;
  readonly uris: Readonly<Record<'mongodb' | 'redis' | 'api', string>>;
  readonly ports: Ports;
  /** Variables that the apps were given. */
  readonly env: NodeJS.ProcessEnv;
  readonly processes: readonly (StagedProcess & { readonly name: string })[];
}

const pathIn = (dataDir: string): string => join(dataDir, 'stack.json');

/** For its owner's eyes only, since it holds the provider's key. It is read while it changes, so it is replaced whole. */
export function writeRecord(dataDir: string, record: StackRecord): void {
  const path = pathIn(dataDir);
  writeFileSync(`${path}.new`, `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

export function removeRecord(dataDir: string): void {
  rmSync(pathIn(dataDir), { force: true });
}

/** The record that was left, whether or not its stack still runs. */
export function readRecord(dataDir: string): StackRecord | null {
  if (!existsSync(pathIn(dataDir))) return null;
  try {
    return JSON.parse(readFileSync(pathIn(dataDir), 'utf8')) as StackRecord;
  } catch {
    return null; // Cut off because its writer was killed.
  }
}

/** The stack that runs on this data folder now. */
export function runningStack(dataDir: string): StackRecord | null {
  const record = readRecord(dataDir);
  return record && isRunning(record.owner) ? record : null;
}

/** Ends the processes that a killed script has left running; only those that are proven to be its own. */
export async function endLeftovers(record: StackRecord, say: (text: string) => void): Promise<void> {
  const left = record.processes.filter(isRunning);
  if (left.length === 0) return;
  say('an earlier run was killed; waiting for what it started to end');
  await endInOrder(left);
}
