import { ConfigError } from '../config/read-config.js';
import type { Log } from '../observability/log.js';

/** A process that has not ended by itself this long after the first signal is ended. */
const GRACE_MS = 15_000;

/** Ends the process on SIGTERM and SIGINT: `close` finishes what runs; after 15 s, or a second signal, it just ends. */
export function endOnSignal(log: Log, close: () => Promise<void>): void {
  let ending = false;
  const end = (signal: string): void => {
    if (ending) {
      log.warn({ signal }, 'Signalled again: ending at once');
      process.exit(1);
    }
    ending = true;
    log.info({ signal }, 'Ending: finishing what runs');
    setTimeout(() => {
      log.error(
        'Still busy after 15 seconds: ending at once. What was not finished is found by the next sweep',
      );
      process.exit(1);
    }, GRACE_MS).unref();
    close().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ error }, 'Ending went wrong');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
}

/** Runs the start of a process; what stops it is said in one clear message, not in a stack. */
export function startOrExplain(name: string, start: () => Promise<void>): void {
  start().catch((error: unknown) => {
    const reason = error instanceof ConfigError ? error.message : String((error as Error).stack ?? error);
    process.stderr.write(`${name} cannot start:\n${reason}\n`);
    process.exit(1);
  });
}
