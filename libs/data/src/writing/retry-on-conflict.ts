import { isFault } from '@commerce/kernel';

import { retryWhen } from '../server/retry.js';

/** Writers of one record take turns instead of colliding again: forty at once all succeed. */
const conflicts = retryWhen((error) => isFault(error, 'record.conflict'), {
  retries: 30,
  pauses: { firstMs: 4, longestMs: 400 },
});

/**
 * Runs a use case again when another writer was faster, so that it decides on what is true now. When it gives up, it
 * throws the conflict itself.
 */
export function retryOnConflict<T>(useCase: () => Promise<T>): Promise<T> {
  return conflicts.execute(useCase);
}
