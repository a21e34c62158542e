import { setTimeout as pause } from 'node:timers/promises';

import { startCpu } from './cpu.js';

const LOOK_MS = 2000;
/** Of one core, at rest. */
const AT_REST = 0.05;
const LONGEST_MS = 10 * 60_000;

/**
 * Waits until a process has nothing left to do, as a database that goes on writing to disk what it was given in bulk.
 * @throws Error when it does not come to rest within ten minutes
 */
export async function settled(name: string, pid: number): Promise<void> {
  for (const end = performance.now() + LONGEST_MS; performance.now() < end;) {
    const used = startCpu({ [name]: pid });
    await pause(LOOK_MS);
    const seconds = used(1000)[name];
    if (typeof seconds !== 'number' || seconds * 1000 < AT_REST * LOOK_MS) return;
  }
  throw new Error(`${name} does not come to rest`);
}
