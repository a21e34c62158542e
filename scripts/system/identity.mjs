import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * A process that can be told from a later one with the same pid.
 *
 * @typedef {{pid: number, started: string}} Identity
 * @typedef {Identity & {stage: number}} StagedProcess
 */

/** How long a process gets to end on SIGTERM before it is sent SIGKILL. */
export const GRACE_MS = 15_000;

/**
 * When a process was started, according to the system: a pid alone may belong to another process by now.
 *
 * @param {number} pid
 * @returns {string | null} null when no such process runs; '' where the system does not say
 */
function startOf(pid) {
  try {
    process.kill(pid, 0);
  } catch {
    return null;
  }
  if (process.platform !== 'linux') return '';
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // A zombie has ended; its parent has not collected it yet.
    return fields[0] === 'Z' ? null : (fields[19] ?? '');
  } catch {
    return null;
  }
}

/** @param {Identity} process */
export function isRunning({ pid, started }) {
  return Number.isInteger(pid) && startOf(pid) === started;
}

/**
 * @param {number} pid
 * @returns {Identity}
 */
export function identify(pid) {
  return { pid, started: startOf(pid) ?? '' };
}

/**
 * SIGTERM, then SIGKILL after 15 s, one stage after the other from the highest.
 *
 * @param {readonly StagedProcess[]} processes
 */
export async function endInOrder(processes) {
  for (const stage of stagesOf(processes)) {
    const here = () => processes.filter((child) => child.stage === stage && isRunning(child));
    for (const { pid } of here()) process.kill(pid, 'SIGTERM');
    for (let waited = 0; here().length > 0 && waited < GRACE_MS; waited += 100) await sleep(100);
    for (const { pid } of here()) process.kill(pid, 'SIGKILL');
  }
}

/**
 * @param {readonly {stage: number}[]} processes
 * @returns {number[]} the highest first
 */
export function stagesOf(processes) {
  return [...new Set(processes.map(({ stage }) => stage))].sort((a, b) => b - a);
}
