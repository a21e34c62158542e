import { fault } from '@commerce/kernel';

import { ProviderNotConfigured, ProviderRefused, ProviderUnavailable } from './card-provider.js';

/** Turns a missing answer or a refusal of the provider into a fault, for calls that a caller waits for. */
export async function orUnavailable<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (!(error instanceof ProviderUnavailable)) throw error;
    if (error instanceof ProviderNotConfigured)
      throw fault('provider.not_configured', 'No account with the card provider serves this company');
    if (error instanceof ProviderRefused)
      throw fault('provider.refused', 'The card provider refuses this', { reason: error.code });
    throw fault('provider.unavailable', 'The card provider does not answer at the moment; try again');
  }
}
