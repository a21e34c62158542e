import { readFileSync } from 'node:fs';

/** Linux counts processor time for user space in hundredths of a second, whatever its own clock is. */
const TICKS_PER_SECOND = 100;

/**
 * Processor time that a process has used so far, all its threads together.
 *
 * @param {number} pid
 * @returns {number | null} seconds; null where the system does not tell
 */
export function cpuSeconds(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name, in brackets, may hold spaces; the user and system times are fields 14 and 15 of the line.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
  } catch {
    return null;
  }
}

/**
 * Starts to measure what these processes use.
 *
 * @param {Record<string, number>} pids by the name that the result has
 * @returns {(things: number) => Record<string, number | null>} ends it; seconds per 1,000 of the things done
 */
export function startCpu(pids) {
  const before = Object.entries(pids).map(([name, pid]) => [name, pid, cpuSeconds(pid)]);
  return (things) =>
    Object.fromEntries(
      before.map(([name, pid, start]) => {
        const end = cpuSeconds(pid);
        return [name, start === null || end === null ? null : ((end - start) * 1000) / things];
      }),
    );
}
