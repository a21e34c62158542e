import { setTimeout as pause } from 'node:timers/promises';

import { startCpu } from './cpu.js';

const LOOK_MS = 2000;
/** Of one core, at rest. */
export const AT_REST = 0.05;
const LONGEST_MS = 10 * 60_000;

/**
 * Waits until a process has nothing left to do, as a database that goes on writing to disk what it was given in bulk;
 * ten minutes at most.
 * @returns the share of one core that it still took at the end
 */
export async function settled(name: string, pid: number): Promise<number> {
  let share = 1;
  for (const end = performance.now() + LONGEST_MS; share >= AT_REST && performance.now() < end;) {
    const used = startCpu({ [name]: pid });
    const since = performance.now();
    await pause(LOOK_MS);
    const seconds = used(1000)[name];
    share = typeof seconds === 'number' ? (seconds * 1000) / (performance.now() - since) : 0;
  }
  return share;
}
