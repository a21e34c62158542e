import type { RoundingStep } from '@commerce/kernel';
import type { IntervalUnit } from './calendar.js';

export type ProrationMode = 'day' | 'second' | 'thirty';

/** A charged slice `[start, end)` and the instant that divides it. `unit` is its billing interval. */
export interface ProrationInput {
  readonly mode: ProrationMode;
  readonly timezone: string;
  readonly unit: IntervalUnit;
  readonly base_minor: number;
  readonly currency: string;
  readonly start: Date;
  readonly end: Date;
  readonly at: Date;
  readonly is_prorated: boolean;
}

/** used_minor + unused_minor = base_minor, always. `unused`/`total` count days (seconds by second). */
export interface UsedAndUnused {
  readonly used_minor: number;
  readonly unused_minor: number;
  readonly unused: number;
  readonly total: number;
  readonly steps: readonly RoundingStep[];
}

/**
 * Divides the charge of a slice at an instant. Pause bills `used_minor` (arrears) or refunds `unused_minor`
 * (prepay); a resume without a new anchor collects `unused_minor` of the running slice at that instant.
 * Pausing and resuming at one instant therefore costs nothing.
 */
export function usedAndUnused(input: ProrationInput): UsedAndUnused {
  throw new Error(`not yet ${input.mode}`);
}

/** prorate_amount of a stop, in minor units, never above 0. */
export function prorateStop(input: ProrationInput): number {
  return 0 - usedAndUnused(input).unused_minor;
}
