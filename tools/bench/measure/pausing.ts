import { setTimeout as sleep } from 'node:timers/promises';

import { eventually } from '@commerce/testing';

/** Longer than a worker waits between two sweeps by default, so that it looks at once when it goes on. */
const LONGER_THAN_A_SWEEP_MS = 1500;
const LIMIT_MS = 180_000;

/**
 * Holds a process still while work is laid out for it, and lets it go on when everything is there. Gives what
 * `prepare` gave, at the moment from which the process runs again.
 */
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
 * Asks until nothing is left. The more is left, the longer it waits before it asks again, `longestMs` at most: on some
 * servers a count costs as much as reading what it counts, and the processor time would be taken from what is measured.
 * Where little is done in a millisecond half of what is left is a short wait; where much is done it would be too long.
 */
export async function untilNoneLeft(
  what: string,
  countLeft: () => Promise<number>,
  longestMs = 500,
): Promise<void> {
  const pauseMs = (left: number): number => Math.min(longestMs, 10 + left / 2);
  await eventually(countLeft, (left) => left <= 0, LIMIT_MS, { what, pauseMs });
}
