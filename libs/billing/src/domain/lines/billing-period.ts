import type { TaxShare } from '@commerce/kernel';

import { earlier, type Schedule } from '../calendar/schedule.js';
import { sameSubscribed, type Subscribed } from '../pricing/terms.js';
import type { Books } from './books.js';
import type { IntervalPrice } from '../pricing/accrual.js';
import { holding, type Span } from './spans.js';

/** The price of an interval under some terms, frozen when they are first charged in a period. */
export interface FrozenPrice {
  readonly price_minor: number;
  /** The lower price of some intervals; absent without a discount. */
  readonly discounted?: IntervalPrice;
  readonly is_prorated: boolean;
  /** The rates that divide it; empty without products. */
  readonly taxes: readonly TaxShare[];
}

/** Terms that held in a period; `price` null: not charged yet. */
export interface HeldTerms {
  readonly subscribed: Subscribed;
  readonly price: FrozenPrice | null;
}

/** The destination of a credit: the customer's balance, or the card that paid. */
export type CreditTo = 'balance' | 'refund';

/** An instant whose local day a period of another calendar owns, and the price of a day there, in minor units. */
export interface Yielded {
  readonly at: Date;
  readonly price: number;
}

/** A period of the calendar, what held in it, and its books. Self-contained, so that it outlives a new anchor. */
export interface BillingPeriod {
  readonly run: number;
  readonly anchor: Date;
  readonly index: number;
  readonly start: Date;
  /** By the calendar, even where the subscription ends before. */
  readonly end: Date;
  /** What held; `terms` are places in the list of that name. */
  readonly spans: readonly Span<number>[];
  readonly terms: readonly HeldTerms[];
  readonly yields: readonly Yielded[];
  /** What held before this date is settled; later dates are those that were known then. */
  readonly settled_until: Date;
  /** Number of payments opened for it. */
  readonly bills: number;
  /** Number of credits given for it. */
  readonly credits: number;
  readonly books: Books;
  /** The rates that divide what its books hold. */
  readonly taxes: readonly TaxShare[];
  /** Where the next credit goes, if a change brings it; null: to the card. */
  readonly credit_to: CreditTo | null;
}

/** A period in which these terms hold from its start on, or from a resume within it. */
export function beginPeriod(
  schedule: Schedule,
  index: number,
  subscribed: Subscribed,
  entered: Date | null = null,
): BillingPeriod {
  const { start, end } = schedule.period(index);
  const from = entered !== null && entered > start ? entered : start;
  return {
    run: schedule.run,
    anchor: schedule.anchor,
    index,
    start,
    end,
    spans: [{ from, to: null, terms: 0 }],
    terms: [{ subscribed, price: null }],
    yields: [],
    settled_until: from,
    bills: 0,
    credits: 0,
    books: [],
    taxes: [],
    credit_to: null,
  };
}

/** The period in which other terms hold from `at` on, or nothing: what follows `at` is to be settled again. */
export function held(period: BillingPeriod, at: Date, subscribed: Subscribed | null): BillingPeriod {
  const { terms, place } =
    subscribed === null ? { terms: period.terms, place: null } : placed(period, subscribed);
  const spans = holding(period.spans, at, place, (a, b) => a === b);
  const settled_until = earlier(at, period.settled_until);
  return withoutUnused({ ...period, spans, terms, settled_until });
}

/** The last terms of a period that were not charged yet become others, with the same price: a discount that ends later. */
export function renamed(period: BillingPeriod, before: Subscribed, subscribed: Subscribed): BillingPeriod {
  const terms = period.terms.map((one) =>
    one.price === null && sameSubscribed(one.subscribed, before) ? { ...one, subscribed } : one,
  );
  return { ...period, terms };
}

/** Terms of a period, by its key, at a frozen price. */
export interface QuotedTerms extends HeldTerms {
  readonly of: string;
}

/** The terms of periods that have a price. */
export function quoted(periods: readonly BillingPeriod[]): QuotedTerms[] {
  return periods.flatMap((period) =>
    period.terms.flatMap((one) => (one.price === null ? [] : [{ of: periodKey(period), ...one }])),
  );
}

/** The period with prices that are frozen already, where its terms have none. */
export function priced(period: BillingPeriod, prices: readonly QuotedTerms[]): BillingPeriod {
  const own = prices.filter(({ of }) => of === periodKey(period));
  const terms = period.terms.map((one) => {
    if (one.price !== null) return one;
    const known = own.find(({ subscribed }) => sameSubscribed(subscribed, one.subscribed));
    return known === undefined ? one : { ...one, price: known.price };
  });
  return { ...period, terms };
}

function placed(
  { terms }: BillingPeriod,
  subscribed: Subscribed,
): { readonly terms: readonly HeldTerms[]; readonly place: number } {
  const known = terms.findIndex((one) => sameSubscribed(one.subscribed, subscribed));
  if (known >= 0) return { terms, place: known };
  return { terms: [...terms, { subscribed, price: null }], place: terms.length };
}

/** The period without terms that held for no time and were never charged. */
function withoutUnused(period: BillingPeriod): BillingPeriod {
  const { spans, terms } = period;
  const isUsed = (place: number): boolean =>
    terms[place]?.price !== null || spans.some((span) => span.terms === place);
  if (terms.every((_one, place) => isUsed(place))) return period;
  const kept = [...terms.keys()].filter(isUsed);
  return {
    ...period,
    terms: kept.flatMap((place) => terms[place] ?? []),
    spans: spans.map((span) => ({ ...span, terms: span.terms === null ? null : kept.indexOf(span.terms) })),
  };
}

/** Names a period within the subscription: its index, preceded by the number of the run after a new anchor. */
export function periodKey({ run, index }: Pick<BillingPeriod, 'run' | 'index'>): string {
  return run === 0 ? String(index) : `${run}.${index}`;
}

/** The terms with which a period ends, or that held last in it. */
export function lastTerms({ spans, terms }: BillingPeriod): HeldTerms | undefined {
  const last = spans.findLast((span) => span.terms !== null);
  return last?.terms == null ? undefined : terms[last.terms];
}

/** The date since which nothing holds in the period; null while something does. */
export function idleSince({ spans }: { readonly spans: readonly Span<unknown>[] }): Date | null {
  const last = spans.at(-1);
  return last?.terms === null ? last.from : null;
}
