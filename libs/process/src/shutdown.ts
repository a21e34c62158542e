import { ConfigError } from '@commerce/platform';
import type { Log } from '@commerce/platform';
import { databaseTrouble } from '@commerce/data';

/** A process that is still running this long after the first signal is ended. */
const GRACE_MS = 15_000;

/**
 * Ends the process on SIGTERM and SIGINT: `close` finishes running work; after 15 s, or at a second signal, the process
 * exits immediately. It also exits, with code 1, after an uncaught error, a bug that leaves its memory in an unknown
 * state; unfinished work is in the database, and a supervisor restarts the process.
 */
export function endInOrder(log: Log, close: () => Promise<void>): void {
  let ending = false;
  const end = (code: number): void => {
    if (ending) process.exit(1);
    ending = true;
    setTimeout(() => {
      log.error('Still busy after 15 seconds: exiting at once. The next sweep finds what was not finished');
      process.exit(1);
    }, GRACE_MS).unref();
    close().then(
      () => process.exit(code),
      (error: unknown) => {
        log.error({ error }, 'The shutdown failed');
        process.exit(1);
      },
    );
  };
  const endOnSignal = (signal: string): void => {
    if (ending) log.warn({ signal }, 'Signalled again: exiting at once');
    else log.info({ signal }, 'Shutting down: finishing what is running');
    end(0);
  };
  const endOnBug = (error: unknown): void => {
    if (ending) return;
    log.fatal({ error }, 'An error that nobody caught: this process ends and is to be started anew');
    end(1);
  };
  process.on('SIGTERM', endOnSignal);
  process.on('SIGINT', endOnSignal);
  process.on('uncaughtException', endOnBug);
  process.on('unhandledRejection', (reason) => {
    // An unavailable database is not a bug, wherever the error surfaced: the process has to outlive it.
    if (databaseTrouble(reason) === null) endOnBug(reason);
    else log.error({ error: reason }, 'A call of the database failed, and nobody waited for it');
  });
}

/** Runs the start of a process. Invalid settings are printed as one clear message, without a stack. */
export function startOrExplain(name: string, start: () => Promise<void>): void {
  start().catch((error: unknown) => {
    const reason = error instanceof ConfigError ? error.message : String((error as Error).stack ?? error);
    process.stderr.write(`${name} cannot start:\n${reason}\n`);
    process.exit(1);
  });
}
