import type { Log } from '#scripts/system/report.mjs';
import { GRACE_MS } from '#scripts/system/identity.mjs';

import type { Processes } from './processes.js';

export interface Signals {
  /** The signal that has come, if any. */
  received(): string | undefined;
  /** Resolves to the name of the signal when everything has ended. */
  readonly stopped: Promise<string>;
}

/**
 * Ends all children in order on Ctrl-C, SIGTERM, a closed terminal, or when the npm that runs this script has been
 * killed. Further signals change nothing: npm passes on a Ctrl-C that the terminal has already delivered.
 */
export function stopOnSignals(processes: Processes, log: Log): Signals {
  let received: string | undefined;
  const stopped = new Promise<string>((resolve, reject) => {
    const stop = (name: string): void => {
      if (received !== undefined) return;
      received = name;
      log('Stop', `${name}: ending what was started (up to ${String(GRACE_MS / 1000)} s)`);
      processes.stop().then(() => resolve(name), reject);
    };
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, () => stop(name));
    const parent = process.ppid;
    const look = (): void => {
      if (process.ppid !== parent) stop('npm has ended');
    };
    if (process.env['npm_lifecycle_event'] !== undefined) setInterval(look, 500).unref();
  });
  return { received: () => received, stopped };
}
