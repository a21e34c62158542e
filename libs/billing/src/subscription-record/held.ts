import { ANY_DATE } from '@commerce/data';
import { Choice, Instant, Integer } from '@commerce/records';

/** `catch_up`: too many periods within a day. `error`: too many consecutive unexpected errors. */
export const HELD_REASONS = ['catch_up', 'error'] as const;
export type HeldReason = (typeof HELD_REASONS)[number];

/** The reason why billing is on hold until somebody releases the subscription. */
export class Held {
  @Choice(HELD_REASONS, {
    fold: 'lower',
    description:
      'catch_up: a fourth period was due within 24 hours; error: billing it failed five times in a row',
  })
  reason: HeldReason;

  @Instant({ description: 'when it was held' })
  since: Date;

  @Integer({ description: 'how many periods were due then' })
  periods: number;
}

/** Matches subscriptions whose billing is on hold; the date lets the partial indexes serve the query. */
export const IS_HELD = { 'held.since': ANY_DATE };
