import type { CustomerSettings } from '@commerce/identity';
import type { Id } from '@commerce/records';

import type { SubscriptionState } from '../domain/lifecycle/subscription-state.js';
import type { Terms } from '../domain/pricing/terms.js';
import type { SubscriptionStore } from '../subscription-record/subscription.store.js';
import { TrialTaken, type Trial } from '../subscription-record/trial-keys.js';

/** The terms of a start, and the trial that it takes of those that its user may have; null for none. */
interface TrialTerms {
  readonly terms: Terms;
  readonly begins: Trial | null;
}

interface Starting {
  readonly company: Id;
  readonly user: Id;
  readonly state: SubscriptionState;
  readonly terms: Terms;
}

/** The terms by which a customer starts: without trial where they had the ones that they may have. */
export async function trialFor(
  store: SubscriptionStore,
  { trials }: Pick<CustomerSettings, 'trials'>,
  { company, user, state, terms }: Starting,
): Promise<TrialTerms> {
  if (trials === 'always' || state.status !== 'CREATED' || terms.plan.trial_days === 0) {
    return { terms, begins: null };
  }
  const begins = { user, plan: trials === 'once' ? null : state.subscribed.plan };
  if (!(await store.hadTrial(company, begins))) return { terms, begins };
  return { terms: { ...terms, plan: { ...terms.plan, trial_days: 0 } }, begins: null };
}

/** Starts again where another start of the user took the trial in the meantime, which is visible now. */
export async function againIfTrialTaken<T>(start: () => Promise<T>): Promise<T> {
  try {
    return await start();
  } catch (error) {
    if (!(error instanceof TrialTaken)) throw error;
    return start();
  }
}
