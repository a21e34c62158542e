import { Choice, Instant, Integer, Ref, type Id } from '@commerce/records';

import { DECIDERS, type Decider } from '../domain/lifecycle/decided-by.js';

export const PENDING_CHANGE_STATES = ['SCHEDULED', 'AWAITING_PAYMENT'] as const;

/** A change of plan or quantity that has not taken effect yet. */
export class PendingChange {
  @Ref('plan', { description: 'the plan from then on' })
  plan: Id;

  @Integer({ min: 1, max: 1_000_000, description: 'the quantity from then on' })
  quantity: number;

  @Instant({ optional: true, description: 'when it takes effect; null: at the end of the pause' })
  at: Date | null;

  @Choice(PENDING_CHANGE_STATES, {
    description: 'AWAITING_PAYMENT: it takes effect once its payment has succeeded',
  })
  state: (typeof PENDING_CHANGE_STATES)[number];

  @Choice(DECIDERS, { description: 'who asked for it: a user withdraws and replaces only their own' })
  set_by: Decider;
}

/** A start that takes effect once its payment has succeeded. */
export class PendingStart {
  @Instant({ description: 'the date as of which it starts' })
  at: Date;

  @Choice(DECIDERS, { description: 'who asked for it' })
  set_by: Decider;
}
