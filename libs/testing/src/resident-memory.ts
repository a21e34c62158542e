import { execFileSync } from 'node:child_process';

/** The resident memory of a process, which ps tells in KiB. */
export function residentMib(pid: number): number {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024;
}
