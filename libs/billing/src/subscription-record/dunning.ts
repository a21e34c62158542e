import { COLLECTION_STATES } from '../domain/lifecycle/subscription-state.js';

/** The collection states in which money is at risk. */
export const DUNNING_STATES = COLLECTION_STATES.filter((state) => state !== 'OK');

/** Matches the states in dunning: `OK` sorts before them all. A partial index has the same filter. */
export const IN_DUNNING = { $gt: 'OK' };

export const DUNNING_INDEX = {
  fields: { company: 1, collection_state: 1, created: -1, _id: -1 },
  options: { partialFilterExpression: { collection_state: IN_DUNNING } },
} as const;
