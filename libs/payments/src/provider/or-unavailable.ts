import { fault } from '@commerce/kernel';

import { ProviderNotConfigured, ProviderUnavailable } from './card-provider.js';

/** Turns a missing answer of the provider into a fault, for calls that a caller waits for. */
export async function orUnavailable<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (!(error instanceof ProviderUnavailable)) throw error;
    if (error instanceof ProviderNotConfigured)
      throw fault('provider.not_configured', 'No account with the card provider serves this company');
    throw fault('provider.unavailable', 'The card provider does not answer at the moment; try again');
  }
}
