import { readFileSync } from 'node:fs';

import type { Round } from './compare.js';

/** Linux counts processor time for user space in hundredths of a second, whatever its own clock is. */
const TICKS_PER_SECOND = 100;

/** The processor time of a process with all its threads; NaN where the system does not report it. */
function cpuSeconds(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${String(pid)}/stat`, 'utf8');
    // The name, in brackets, may hold spaces; user and system time are fields 14 and 15 of the line.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
  } catch {
    return NaN;
  }
}

/** Starts to measure processes by name. The result ends it, and gives for each the seconds per 1,000 things done. */
export function startCpu(
  pids: Readonly<Record<string, number>>,
): (things: number) => Readonly<Record<string, number>> {
  const before = Object.entries(pids).map(([name, pid]) => [name, pid, cpuSeconds(pid)] as const);
  return (things) =>
    Object.fromEntries(
      before.map(([name, pid, start]) => [
        `${name}: CPU s per 1,000`,
        ((cpuSeconds(pid) - start) * 1000) / things,
      ]),
    );
}

/** Measures the processes by name, and the rate, while `work` does as many things. */
export async function measured(
  pids: Readonly<Record<string, number>>,
  things: number,
  work: () => Promise<unknown>,
): Promise<Round> {
  const cpuOf = startCpu(pids);
  const started = performance.now();
  await work();
  return { rate: (things * 1000) / (performance.now() - started), ...cpuOf(things) };
}
