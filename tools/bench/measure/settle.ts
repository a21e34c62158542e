import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

const LOOK_MS = 20_000;
const LONGEST_MS = 10 * 60_000;

/** Bytes a second: what a database writes now and then that has nothing left to write. */
export const AT_REST = 2 ** 20;

/**
 * Waits until a process has written what it has to, as a database that goes on writing to disk what it was given in
 * bulk; ten minutes at most.
 * @returns the bytes a second that it still wrote at the end; 0 where the system does not tell
 */
export async function settled(pid: number): Promise<number> {
  let rate = Infinity;
  for (const end = performance.now() + LONGEST_MS; rate >= AT_REST && performance.now() < end;) {
    const before = written(pid);
    const since = performance.now();
    await pause(LOOK_MS);
    rate = ((written(pid) - before) * 1000) / (performance.now() - since);
  }
  return rate;
}

/** The bytes that a process has had written to disk so far. */
function written(pid: number): number {
  try {
    return Number(/^write_bytes: (\d+)$/m.exec(readFileSync(`/proc/${String(pid)}/io`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}
