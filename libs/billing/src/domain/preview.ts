import type { Breakdown } from './breakdown.js';
import type { ChargeKind, SubscriptionState } from './subscription-state.js';
import type { Terms } from './subscription-terms.js';

export interface PreviewedCharge {
  readonly date: Date;
  readonly amount: number;
  readonly kind: ChargeKind;
  readonly period_start: Date;
  readonly period_end: Date;
  readonly breakdown: Breakdown;
}

/** The next `count` charges, each taken to succeed at its date: the very decisions that billing will come to. */
export function previewCharges(
  state: SubscriptionState,
  terms: Terms,
  now: Date,
  count: number,
): PreviewedCharge[] {
  throw new Error(`to be written ${String([state, terms, now, count])}`);
}
