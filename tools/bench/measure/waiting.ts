import { setTimeout as sleep } from 'node:timers/promises';

import { eventually } from '@commerce/testing';

/** Longer than a worker waits between two sweeps by default, so that it sweeps as soon as it goes on. */
const LONGER_THAN_A_SWEEP_MS = 1500;
const LIMIT_MS = 180_000;

/** Holds a process still while work is laid out for it; resolves as soon as the process runs again. */
export async function whilePaused<T>(pid: number, prepare: () => Promise<T>): Promise<T> {
  process.kill(pid, 'SIGSTOP');
  try {
    const [prepared] = await Promise.all([prepare(), sleep(LONGER_THAN_A_SWEEP_MS)]);
    return prepared;
  } finally {
    process.kill(pid, 'SIGCONT');
  }
}

/**
 * Asks until nothing is left. The more is left, the longer it waits before it asks again, since a count takes processor
 * time from the measured processes; the end is seen within 10 ms where no more than ten things are done in one.
 */
export async function untilNoneLeft(what: string, countLeft: () => Promise<number>): Promise<void> {
  const pauseMs = (left: number): number => 10 + left / 10;
  await eventually(countLeft, (left) => left <= 0, LIMIT_MS, { what, pauseMs });
}
