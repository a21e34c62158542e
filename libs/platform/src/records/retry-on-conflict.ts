import { isFault } from '@commerce/kernel';
import { ExponentialBackoff, handleWhen, retry } from 'cockatiel';

/**
 * How often a use case is repeated after a conflict, and the longest pause in between, in milliseconds. Pauses grow
 * and are random, so that writers of one record come one after the other instead of meeting again: forty at once
 * all get their turn.
 */
const MAX_RETRIES = 30;
const MAX_PAUSE_MS = 400;

const conflicts = retry(
  handleWhen((error) => isFault(error, 'record.conflict')),
  { maxAttempts: MAX_RETRIES, backoff: new ExponentialBackoff({ initialDelay: 4, maxDelay: MAX_PAUSE_MS }) },
);

/**
 * Runs a use case again when another writer was quicker, so that it decides on what is true now. Gives up with the
 * conflict itself.
 */
export function retryOnConflict<T>(useCase: () => Promise<T>): Promise<T> {
  return conflicts.execute(useCase);
}
