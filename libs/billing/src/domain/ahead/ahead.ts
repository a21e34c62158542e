import { toMajor } from '@commerce/kernel';

import { Lookahead, type AheadInput, type PreviewedCharge, type PreviewedRefund } from './lookahead.js';

/** The money that lies ahead of a subscription, and the end that it leads to, if each payment succeeds on its date. */
export interface Ahead {
  /** The first of them; refunds and end take all that were computed into account. */
  readonly charges: readonly PreviewedCharge[];
  readonly refunds: readonly PreviewedRefund[];
  /** The date on which the subscription becomes CANCELLED; null where it does not within what was computed. */
  readonly cancelled_at: Date | null;
  /** The deduction of a stop once its period has begun, in major units. */
  readonly prorate_amount: number;
  /** The amount that is still owed after these charges and refunds, in major units. */
  readonly outstanding_amount: number;
}

/** The number of charges to show and, where the end matters, the most to compute; left out, those that are shown. */
export interface AheadBounds {
  readonly count: number;
  readonly most?: number;
}

/** The products, sub-products included, that the charges show at most, after the first charge. */
const MOST_SHOWN = 1200;

/** The products of all charges that are computed at most, where more are computed than shown. */
const MOST_COMPUTED = 12_000;

/**
 * What lies ahead of a subscription: the very decisions of billing, a step for each. An amount below the card provider's
 * minimum joins the next charge; a payment that is open succeeds now. Charges that are not shown are not kept.
 */
export function* aheadSteps(
  input: AheadInput,
  balance_minor: number,
  { count, most = count }: AheadBounds,
): Generator<void, Ahead> {
  const balance = { minor: balance_minor };
  const ahead = new Lookahead(input);
  const charges: PreviewedCharge[] = [];
  const refunds: PreviewedRefund[] = [];
  let cancelled_at = ahead.current.status === 'CANCELLED' ? input.now : null;
  let [computed, products] = [0, 0];
  const bound = most > count ? MOST_COMPUTED : MOST_SHOWN;
  for (let due = ahead.due; due !== null && computed < most && products < bound; due = ahead.due) {
    const isShown = computed < count && products < MOST_SHOWN;
    const step = ahead.step(balance);
    if (step.charge !== null) {
      computed += 1;
      products += productsShown(step.charge);
      if (isShown) charges.push(step.charge);
    }
    refunds.push(...step.refunds);
    if (ahead.current.status === 'CANCELLED') cancelled_at ??= due;
    yield;
  }
  const { current } = ahead;
  const { currency, outstanding_amount_minor } = current.receivable;
  const prorate_minor = 'prorate_amount_minor' in current ? current.prorate_amount_minor : 0;
  return {
    charges,
    refunds,
    cancelled_at,
    prorate_amount: toMajor(prorate_minor, currency),
    outstanding_amount: toMajor(outstanding_amount_minor, currency),
  };
}

/** As `aheadSteps`, all steps at once. */
export function ahead(input: AheadInput, balance_minor: number, bounds: AheadBounds): Ahead {
  const steps = aheadSteps(input, balance_minor, bounds);
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return step.value;
}

/** The number of products in the breakdown of a charge. */
function productsShown({ breakdown }: PreviewedCharge): number {
  const items = breakdown.parts.flatMap((part) =>
    part.kind === 'period' ? (part.priced_from?.items ?? []) : [],
  );
  return items.reduce((sum, { sub_products }) => sum + 1 + sub_products.length, 0);
}
