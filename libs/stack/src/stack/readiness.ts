import { codeOf, messageOf } from '#scripts/system/errors.mjs';
import { elapsed, type Log } from '#scripts/system/report.mjs';

import type { Child } from '../processes/child.js';
import { untilDone } from '../processes/until-done.js';

const LIMIT_MS = 90_000;
const REMINDER_MS = 5_000;

/**
 * Waits until a process of ours answers 200, saying now and then that it is still waiting. The port of the URL was free
 * before the process was started.
 */
export async function waitUntilReady(child: Child, url: string, log: Log): Promise<void> {
  const since = performance.now();
  let told = since;
  await untilDone([child], LIMIT_MS, async () => {
    const reply = await ask(url);
    if (reply === null) return true;
    if (performance.now() - told > REMINDER_MS) {
      told = performance.now();
      log(child.name, `not ready yet (${reply}), ${elapsed(since)}`);
    }
    throw new Error(reply);
  });
  log(child.name, `ready after ${elapsed(since)}`);
}

/** Null for a 200, otherwise the reply in words. */
async function ask(url: string): Promise<string | null> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(3_000) });
    const text = (await response.text()).slice(0, 300);
    return response.status === 200 ? null : `status ${String(response.status)} ${text}`;
  } catch (error) {
    // fetch hides what went wrong, such as ECONNREFUSED, in the cause.
    const cause = error instanceof Error ? error.cause : undefined;
    return codeOf(cause) ?? messageOf(error);
  }
}
