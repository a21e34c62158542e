import { COLLECTION_STATES } from '../domain/lifecycle/subscription-state.js';

/** The states of collection in which money is at risk. */
export const DUNNING_STATES = COLLECTION_STATES.filter((state) => state !== 'OK');

/** Matches all of them: of the states, `OK` comes first. A partial index says the same. */
export const IN_DUNNING = { $gt: 'OK' };

export const DUNNING_INDEX = {
  fields: { company: 1, collection_state: 1, created: -1, _id: -1 },
  options: { partialFilterExpression: { collection_state: IN_DUNNING } },
} as const;
