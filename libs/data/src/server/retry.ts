import { backoffMs, type Backoff } from '@commerce/kernel';
import { spread } from '@commerce/platform';
import { DelegateBackoff, handleWhen, retry, type IRetryBackoffContext, type RetryPolicy } from 'cockatiel';

/** Repeats work that met other writers; the pauses grow and are random, so that they do not meet again. */
export function retryWhen(
  isWorth: (error: unknown) => boolean,
  { retries, pauses }: { readonly retries: number; readonly pauses: Backoff },
): RetryPolicy {
  const wait = ({ attempt }: IRetryBackoffContext<unknown>): number =>
    spread(backoffMs(attempt - 1, pauses), 0, 2);
  return retry(handleWhen(isWorth), { maxAttempts: retries, backoff: new DelegateBackoff(wait) });
}
