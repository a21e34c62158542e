import { setTimeout as sleep } from 'node:timers/promises';

import { messageOf, StartError } from '#scripts/system/errors.mjs';

import type { Child } from './child.js';

const PAUSE_MS = 50;

/**
 * Repeats an attempt until it gives true. A StartError, a child that ends and the limit end the wait with a message,
 * which shows the end of the child's output.
 */
export async function untilDone(
  children: readonly Child[],
  limitMs: number,
  attempt: () => Promise<boolean>,
): Promise<void> {
  let last = 'no answer';
  const end = performance.now() + limitMs;
  const dead = (): Child | undefined => children.find((child) => !child.alive);
  while (dead() === undefined && performance.now() < end) {
    try {
      if (await attempt()) return;
    } catch (error) {
      if (error instanceof StartError) throw error;
      last = messageOf(error);
    }
    await sleep(PAUSE_MS);
  }
  const child = dead() ?? children[0];
  if (!child) throw new StartError(last);
  const why = child.alive ? `was not ready in time (${last})` : `ended (${await child.ended})`;
  throw new StartError(`${child.name} ${why}. The end of ${child.logFile}:\n\n${child.lastLines()}`);
}
