import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { endInOrder, isRunning } from '../processes/identity.mjs';

/**
 * @import { Identity, StagedProcess } from '../processes/identity.mjs'
 * @import { Ports } from '../system/settings.mjs'
 *
 * What a running stack leaves in its data folder, for `npm run cli` and for the next start.
 *
 * @typedef {object} StackRecord
 * @property {Identity} owner the script that runs the stack
 * @property {{mongodb: string, redis: string, api: string}} uris
 * @property {Ports} ports
 * @property {Record<string, string | undefined>} env variables the apps were given
 * @property {(StagedProcess & {name: string})[]} processes
 */

/** @param {string} dataDir */
const path = (dataDir) => join(dataDir, 'stack.json');

/**
 * For its owner's eyes only, since it holds the provider's key.
 *
 * @param {string} dataDir
 * @param {StackRecord} record
 */
export function writeRecord(dataDir, record) {
  writeFileSync(path(dataDir), `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600 });
}

/** @param {string} dataDir */
export function removeRecord(dataDir) {
  rmSync(path(dataDir), { force: true });
}

/**
 * @param {string} dataDir
 * @returns {StackRecord | null} the record that was left, whether or not its stack still runs
 */
export function readRecord(dataDir) {
  if (!existsSync(path(dataDir))) return null;
  try {
    return JSON.parse(readFileSync(path(dataDir), 'utf8'));
  } catch {
    return null; // Cut off because its writer was killed.
  }
}

/**
 * @param {string} dataDir
 * @returns {StackRecord | null} the stack that runs on this data folder now
 */
export function runningStack(dataDir) {
  const record = readRecord(dataDir);
  return record && isRunning(record.owner) ? record : null;
}

/**
 * Ends what a script that was killed has left running; only processes that are proven to be its own.
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
