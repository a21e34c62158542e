import type { Term } from '../calendar/term.js';
import type { QuotedTerms } from '../lines/billing-period.js';
import type { PendingChange } from './pending-change.js';
import type { Decider } from './decided-by.js';

interface AnyQuote {
  /** The number of its payment (see quoteNumber). */
  readonly number: number;
  /** The date of the quote, as of which it takes effect. */
  readonly at: Date;
  readonly set_by: Decider;
  /** The prices of the terms that it charges. */
  readonly prices: readonly QuotedTerms[];
}

/** A change that takes effect, as of its date and at its prices, once its payment has succeeded. */
export interface ChangeQuote extends AnyQuote, Omit<PendingChange, 'at'> {
  readonly of: 'change';
}

/** A start that takes effect, as of its date and at its prices, once its payment has succeeded. */
export interface StartQuote extends AnyQuote {
  readonly of: 'start';
  readonly term: Term;
  /** Length of the trial that its customer may have. */
  readonly trial_days: number;
}

export type Quote = ChangeQuote | StartQuote;
