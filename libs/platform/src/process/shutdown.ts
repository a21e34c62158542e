import { ConfigError } from '../config/read-config.js';
import type { Log } from '../observability/log.js';

/** A process that is still running this long after the first signal is ended. */
const GRACE_MS = 15_000;

/** Ends the process on SIGTERM and SIGINT: `close` finishes what is running; after 15 s, or at a second signal, the process exits at once. */
export function endOnSignal(log: Log, close: () => Promise<void>): void {
  let ending = false;
  const end = (signal: string): void => {
    if (ending) {
      log.warn({ signal }, 'Signalled again: exiting at once');
      process.exit(1);
    }
    ending = true;
    log.info({ signal }, 'Shutting down: finishing what is running');
    setTimeout(() => {
      log.error('Still busy after 15 seconds: exiting at once. The next sweep finds what was not finished');
      process.exit(1);
    }, GRACE_MS).unref();
    close().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ error }, 'The shutdown failed');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
}

/** Runs the start of a process. Wrong settings are printed as one clear message, without a stack. */
export function startOrExplain(name: string, start: () => Promise<void>): void {
  start().catch((error: unknown) => {
    const reason = error instanceof ConfigError ? error.message : String((error as Error).stack ?? error);
    process.stderr.write(`${name} cannot start:\n${reason}\n`);
    process.exit(1);
  });
}
