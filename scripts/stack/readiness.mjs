import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf, messageOf, StartError } from '../system/errors.mjs';
import { elapsed } from '../system/report.mjs';

/**
 * @import { Child } from '../processes/child.mjs'
 * @import { Log } from '../system/report.mjs'
 */

const LIMIT_MS = 90_000;
const REMINDER_MS = 5_000;

/**
 * Waits until a process of ours answers 200, saying now and then that it is still waiting.
 *
 * @param {Child} child
 * @param {string} url on a port that was free before the process was started
 * @param {Log} log
 */
export async function waitUntilReady(child, url, log) {
  const since = performance.now();
  let told = since;
  let last = 'no answer';
  while (child.alive && performance.now() - since < LIMIT_MS) {
    const { status, text } = await ask(url);
    if (status === 200 && child.alive) return log(child.name, `ready after ${elapsed(since)}`);
    last = text;
    if (performance.now() - told > REMINDER_MS) {
      told = performance.now();
      log(child.name, `not ready yet (${last}), ${elapsed(since)}`);
    }
    await sleep(100);
  }
  const ended = child.alive
    ? `was not ready after ${elapsed(since)} (${last})`
    : `ended (${await child.ended})`;
  throw new StartError(`${child.name} ${ended}. The end of ${child.logFile}:\n\n${child.lastLines()}`);
}

/**
 * @param {string} url
 * @returns {Promise<{status: number, text: string}>} status 0 when nobody answers
 */
async function ask(url) {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(3_000) });
    const text = (await response.text()).slice(0, 300);
    return { status: response.status, text: `status ${response.status} ${text}` };
  } catch (error) {
    // fetch hides what went wrong, such as ECONNREFUSED, in the cause.
    const cause = error instanceof Error ? error.cause : undefined;
    return { status: 0, text: codeOf(cause) ?? messageOf(error) };
  }
}
