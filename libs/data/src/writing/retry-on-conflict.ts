import { isFault } from '@commerce/kernel';
import { ExponentialBackoff, handleWhen, retry } from 'cockatiel';

/**
 * How often a use case is retried after a conflict, and the longest pause in between, in milliseconds. Pauses grow
 * and are random, so that writers of one record take turns instead of colliding again: forty at once all succeed.
 */
const MAX_RETRIES = 30;
const MAX_PAUSE_MS = 400;

const conflicts = retry(
  handleWhen((error) => isFault(error, 'record.conflict')),
  { maxAttempts: MAX_RETRIES, backoff: new ExponentialBackoff({ initialDelay: 4, maxDelay: MAX_PAUSE_MS }) },
);

/**
 * Runs a use case again when another writer was faster, so that it decides on what is true now. When it gives up, it
 * throws the conflict itself.
 */
export function retryOnConflict<T>(useCase: () => Promise<T>): Promise<T> {
  return conflicts.execute(useCase);
}
