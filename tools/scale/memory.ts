import { readFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';

/** The most resident memory that a process ever took; where the system does not say so, what it takes now. */
export function residentMib(pid: number): number {
  try {
    const status = readFileSync(`/proc/${String(pid)}/status`, 'utf8');
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
  } catch {
    const kib = execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' });
    return Number(kib) / 1024;
  }
}
