import { COLLECTION_STATES, type CollectionState } from '../domain/lifecycle/subscription-state.js';

/** The collection states in which money is at risk. */
export const DUNNING_STATES = COLLECTION_STATES.filter((state) => state !== 'OK');

/** Matches the states in dunning: `OK` sorts before them all. A partial index has the same filter. */
export const IN_DUNNING = { $gt: 'OK' };

export const DUNNING_INDEX = {
  fields: { company: 1, collection_state: 1, created: -1, _id: -1 },
  options: { partialFilterExpression: { collection_state: IN_DUNNING } },
} as const;

/** The debt in one currency of the subscriptions in one collection state. */
export interface Dunning {
  readonly currency: string;
  readonly collection_state: CollectionState;
  readonly subscriptions: number;
  readonly outstanding_amount: number;
}

export type DunningRow = { readonly _id: Pick<Dunning, 'currency' | 'collection_state'> } & Pick<
  Dunning,
  'subscriptions' | 'outstanding_amount'
>;
