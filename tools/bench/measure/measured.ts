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

/** Measures the rate, and the processes by name, while `work` does as many things as it resolves to. */
export async function measured(
  pids: Readonly<Record<string, number>>,
  work: () => Promise<number>,
): Promise<Round> {
  const before = Object.entries(pids).map(([name, pid]) => [name, pid, cpuSeconds(pid)] as const);
  const started = performance.now();
  const thousands = (await work()) / 1000;
  const rate = (thousands * 1_000_000) / (performance.now() - started);
  const spent = before.map(
    ([name, pid, start]) => [`${name}: CPU s per 1,000`, (cpuSeconds(pid) - start) / thousands] as const,
  );
  return { rate, ...Object.fromEntries(spent) };
}
