import { inTurns } from '@commerce/platform';

import { aheadSteps, type Ahead, type AheadBounds } from '../domain/ahead/ahead.js';
import type { AheadInput } from '../domain/ahead/lookahead.js';

/** A subscription to look ahead from, and the balance of its customer, from which charges take before the card. */
export interface CustomerAhead extends AheadInput {
  readonly balance_minor: number;
}

/** What lies ahead of a subscription; other requests take their turns meanwhile. All previews come by here. */
export function lookAhead({ balance_minor, ...input }: CustomerAhead, bounds: AheadBounds): Promise<Ahead> {
  return inTurns(aheadSteps(input, balance_minor, bounds));
}
