import { toMinor } from '@commerce/kernel';

import type { Terms } from '../pricing/terms.js';
import type { ForecastCharge } from './forecast.js';
import { Lookahead, type AheadInput, type PreviewedCharge } from './lookahead.js';
import { chargesAhead } from './preview.js';
import { renewalsOf, renewingOf, type Renewal, type Renewing } from './renewals.js';

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

/** What else decides the charges of a subscription that only renews: when it is due, and the least that is charged. */
interface RenewalBounds {
  readonly now: Date;
  readonly due: Date | null;
  readonly to: Date;
  readonly minimum_minor: number;
}

/**
 * The charges before `to` of a subscription that only renews and has no balance, as `forecastCharges` has them. Null
 * where a decision of another kind may come first.
 */
export function renewalCharges(
  renewing: Renewing,
  terms: Terms,
  { now, due, to, minimum_minor }: RenewalBounds,
): ForecastCharge[] | null {
  if (due === null || due >= to) return [];
  const renewals = renewalsOf(renewing, terms, { from: due > now ? due : now, to, minimum_minor });
  return renewals?.map((renewal) => chargeOf(renewal, terms.plan.currency)) ?? null;
}

function* chargesOfOne(input: AheadInput, to: Date): Generator<ForecastCharge, void> {
  const { terms: all, minimum_minor = 0 } = input;
  const ahead = new Lookahead(input);
  // A stop gives back to it what it had paid.
  const balance = { minor: 0 };
  for (let from = ahead.due; from !== null && from < to; from = ahead.due) {
    const terms = all.for(ahead.current.subscribed);
    const { currency } = terms.plan;
    const renewing = balance.minor > 0 ? null : renewingOf(ahead.current);
    const renewals = renewing && renewalsOf(renewing, terms, { from, to, minimum_minor });
    if (renewals !== null) {
      for (const renewal of renewals) yield chargeOf(renewal, currency);
      return;
    }
    const { charge } = ahead.step(balance);
    if (charge !== null) yield withoutBreakdown(charge);
  }
}

function chargeOf({ date, amount_minor }: Renewal, currency: string): ForecastCharge {
  return { date, amount_minor, credit_minor: 0, currency };
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
