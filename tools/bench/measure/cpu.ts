import { readFileSync } from 'node:fs';

/** Linux counts processor time for user space in hundredths of a second, whatever its own clock is. */
const TICKS_PER_SECOND = 100;

/** Seconds of processor time by process; null where the system does not tell. */
export type CpuSeconds = Readonly<Record<string, number | null>>;

/** The processor time that a process has used so far, all its threads together; null where the system does not tell. */
function cpuSeconds(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${String(pid)}/stat`, 'utf8');
    // The name, in brackets, may hold spaces; user and system time are fields 14 and 15 of the line.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
  } catch {
    return null;
  }
}

/**
 * Starts to measure what these processes use. The function that it gives ends it, and gives seconds per 1,000 of the
 * things done.
 */
export function startCpu(pids: Readonly<Record<string, number>>): (things: number) => CpuSeconds {
  const before = Object.entries(pids).map(([name, pid]) => [name, pid, cpuSeconds(pid)] as const);
  return (things) =>
    Object.fromEntries(
      before.map(([name, pid, start]) => {
        const end = cpuSeconds(pid);
        return [name, start === null || end === null ? null : ((end - start) * 1000) / things];
      }),
    );
}
