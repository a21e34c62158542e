import { toMajor } from '@commerce/kernel';

import { firstOf, lastOf, productsShown } from './preview.js';
import { Lookahead, type AheadInput, type PreviewedCharge, type PreviewedRefund } from './lookahead.js';

/** The money that follows from an action, and the end that it leads to. */
export interface ActionPreview {
  /** The first of them; refunds and end take all into account. */
  readonly charges: readonly PreviewedCharge[];
  readonly refunds: readonly PreviewedRefund[];
  /** The date on which the subscription becomes CANCELLED; null where it does not within `most` charges, or fewer of many products. */
  readonly cancelled_at: Date | null;
  /** The deduction of a stop once its period has begun, in major units. */
  readonly prorate_amount: number;
  /** The amount that is still owed after these charges and refunds, in major units. */
  readonly outstanding_amount: number;
}

/** The number of charges to show, and the most to compute. */
export interface PreviewBounds {
  readonly count: number;
  readonly most: number;
}

/** The products, sub-products included, of the charges that one preview computes at most, after the first of them. */
const MOST_COMPUTED = 12_000;

/** The consequences of an action that led to this state, if each payment succeeds: the very decisions of billing. */
export function previewAction(
  input: AheadInput,
  balance_minor: number,
  bounds: PreviewBounds,
): ActionPreview {
  return lastOf(actionSteps(input, balance_minor, bounds));
}

/** As `previewAction`, a step for each decision. Charges that are not shown are not kept. */
export function* actionSteps(
  input: AheadInput,
  balance_minor: number,
  { count, most }: PreviewBounds,
): Generator<void, ActionPreview> {
  const balance = { minor: balance_minor };
  const ahead = new Lookahead(input);
  const charges: PreviewedCharge[] = [];
  const refunds: PreviewedRefund[] = [];
  let cancelled_at = ahead.current.status === 'CANCELLED' ? input.now : null;
  let [computed, products] = [0, 0];
  for (let due = ahead.due; due !== null && computed < most && products < MOST_COMPUTED; due = ahead.due) {
    const step = ahead.step(balance);
    if (step.charge !== null) {
      computed += 1;
      products += productsShown(step.charge);
      if (computed <= count) charges.push(step.charge);
    }
    refunds.push(...step.refunds);
    if (ahead.current.status === 'CANCELLED') cancelled_at ??= due;
    yield;
  }
  const { current } = ahead;
  const { currency, outstanding_amount_minor } = current.receivable;
  const prorate_minor = 'prorate_amount_minor' in current ? current.prorate_amount_minor : 0;
  return {
    charges: firstOf(charges, count),
    refunds,
    cancelled_at,
    prorate_amount: toMajor(prorate_minor, currency),
    outstanding_amount: toMajor(outstanding_amount_minor, currency),
  };
}
