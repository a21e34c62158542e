import { setTimeout as sleep } from 'node:timers/promises';
import { elapsed, StartError } from './report.mjs';

const LIMIT_MS = 90_000;

/**
 * Waits until a process of ours answers 200, saying now and then that it still waits.
 *
 * @param {import('./child.mjs').Child} child
 * @param {string} url on a port that was proved free before the process was started
 * @param {import('./report.mjs').Log} log
 */
export async function waitUntilReady(child, url, log) {
  const since = Date.now();
  let told = since;
  let last = 'no answer';
  while (child.alive && Date.now() - since < LIMIT_MS) {
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(3_000) });
      last = `status ${response.status} ${(await response.text()).slice(0, 300)}`;
      if (response.status === 200 && child.alive) return log(child.name, `ready after ${elapsed(since)}`);
    } catch (error) {
      last = error.cause?.code ?? error.message;
    }
    if (Date.now() - told > 5_000) {
      told = Date.now();
      log(child.name, `not ready yet (${last}), ${elapsed(since)}`);
    }
    await sleep(100);
  }
  const ended = child.alive
    ? `was not ready after ${elapsed(since)} (${last})`
    : `ended (${await child.ended})`;
  throw new StartError(`${child.name} ${ended}. The end of ${child.logFile}:\n\n${child.lastLines()}`);
}
