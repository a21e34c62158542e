import { fault } from '@commerce/kernel';

import { ProviderUnavailable } from './card-provider.js';

/** For calls that a caller waits for: without the provider's answer there is none for the caller either. */
export async function orUnavailable<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (!(error instanceof ProviderUnavailable)) throw error;
    throw fault('provider.unavailable', 'The card provider does not answer at the moment; try again');
  }
}
