import { toMinor } from '@commerce/kernel';

import { subscribedOf } from '../lifecycle/subscription-state.js';
import type { ForecastCharge } from './forecast.js';
import { Lookahead, type AheadInput, type PreviewedCharge } from './lookahead.js';
import { chargesAhead } from './charges-ahead.js';
import { renewalsOf, renewingOf } from './renewals.js';

/** A balance, and the end of the forecast. */
interface ForecastBounds {
  readonly balance_minor: number;
  readonly to: Date;
}

/**
 * The charges before `to` of subscriptions that share one balance: those of `chargesAhead` without their breakdowns. A
 * single one without a balance is stepped through until it only renews.
 */
export function* forecastCharges(
  inputs: readonly AheadInput[],
  { balance_minor, to }: ForecastBounds,
): Generator<ForecastCharge, void> {
  const [only, ...others] = inputs;
  if (only !== undefined && others.length === 0 && balance_minor === 0) return yield* chargesOfOne(only, to);
  for (const charge of chargesAhead(inputs, balance_minor)) {
    if (charge.date >= to) return;
    yield withoutBreakdown(charge);
  }
}

function* chargesOfOne(input: AheadInput, to: Date): Generator<ForecastCharge, void> {
  const { terms: all, minimum_minor = 0 } = input;
  const ahead = new Lookahead(input);
  // A stop gives back to it what it had paid.
  const balance = { minor: 0 };
  for (let from = ahead.due; from !== null && from < to; from = ahead.due) {
    const terms = all.for(subscribedOf(ahead.current));
    const renewing = balance.minor > 0 ? null : renewingOf(ahead.current);
    const renewals = renewing && renewalsOf(renewing, terms, { now: from, due: from, to, minimum_minor });
    if (renewals !== null) return yield* renewals;
    const { charge } = ahead.step(balance);
    if (charge !== null) yield withoutBreakdown(charge);
  }
}

function withoutBreakdown({ date, amount, credit_applied, breakdown }: PreviewedCharge): ForecastCharge {
  const { currency } = breakdown;
  return {
    date,
    amount_minor: toMinor(amount, currency),
    credit_minor: toMinor(credit_applied, currency),
    currency,
  };
}
