import { setTimeout as sleep } from 'node:timers/promises';

/** Longer than a worker waits between two sweeps by default, so that it looks at once when it goes on. */
const LONGER_THAN_A_SWEEP_MS = 1500;

/**
 * Holds a process still while work is laid out for it, and lets it go on when all is there.
 *
 * @template T
 * @param {number} pid
 * @param {() => Promise<T>} prepare
 * @returns {Promise<T>} what `prepare` gave, at the moment from which the process runs again
 */
export async function whilePaused(pid, prepare) {
  process.kill(pid, 'SIGSTOP');
  try {
    const [prepared] = await Promise.all([prepare(), sleep(LONGER_THAN_A_SWEEP_MS)]);
    return prepared;
  } finally {
    process.kill(pid, 'SIGCONT');
  }
}

/**
 * Asks until nothing is left. The more is left, the longer it waits before it asks again: on some servers a count
 * costs as much as reading what it counts, and the processor time would be taken from what is measured.
 *
 * @param {string} what is waited for
 * @param {() => Promise<number>} countLeft
 */
export async function untilNoneLeft(what, countLeft) {
  const end = performance.now() + 180_000;
  for (let left = await countLeft(); left > 0; left = await countLeft()) {
    if (performance.now() > end) throw new Error(`${what}: ${left} left after three minutes`);
    await sleep(Math.min(500, 10 + left / 2));
  }
}
