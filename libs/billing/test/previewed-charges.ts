import { ahead } from '../src/domain/ahead/ahead.js';
import type { AheadInput, PreviewedCharge } from '../src/domain/ahead/lookahead.js';
import type { SubscriptionState } from '../src/domain/lifecycle/subscription-state.js';
import type { Terms } from '../src/domain/pricing/terms.js';

type Money = Partial<Pick<AheadInput, 'minimum_minor' | 'holdingOf'>> & { readonly balance_minor?: number };

/** The next `count` charges of a subscription that can pay. */
export function previewCharges(
  state: SubscriptionState,
  terms: Terms,
  now: Date,
  count: number,
  { balance_minor = 0, ...more }: Money = {},
): readonly PreviewedCharge[] {
  return ahead({ state, terms, canPay: true, now, ...more }, balance_minor, { count }).charges;
}
