import { readFileSync } from 'node:fs';

import { residentMib } from '@commerce/testing';

/** The most resident memory that a process ever took; where the system does not say so, what it takes now. */
export function mostResidentMib(pid: number): number {
  try {
    const status = readFileSync(`/proc/${String(pid)}/status`, 'utf8');
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
  } catch {
    return residentMib(pid);
  }
}
