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
 * Asks until the answer is yes.
 *
 * @param {string} what is waited for
 * @param {() => Promise<boolean>} ask
 * @param {number} [everyMs]
 */
export async function until(what, ask, everyMs = 25) {
  const end = performance.now() + 180_000;
  while (!(await ask())) {
    if (performance.now() > end) throw new Error(`${what}: not within three minutes`);
    await sleep(everyMs);
  }
}
