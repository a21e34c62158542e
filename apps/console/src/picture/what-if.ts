import type { Plan } from '../lists/names';
import { aheadOf, type Charge, type Dot, type Picture, type Upcoming } from './model';

const MINUTE = 60_000;

export interface Assumptions {
  readonly cardFails: boolean;
  /** The failed periods in a row so far; null for a subscription that has not begun. */
  readonly failedBefore: number | null;
}

/** The picture of the coming charges, by the plan's own rules. Nothing is stored. */
export function whatIf(
  upcoming: readonly Upcoming[],
  plan: Plan,
  assumed: Assumptions,
  now: number,
): Picture {
  const picture = aheadOf(upcoming, now);
  return assumed.cardFails ? failing(picture, plan, assumed.failedBefore) : picture;
}

/** The number of charges that fail before the subscription is cancelled. */
function limitOf(plan: Plan, failedBefore: number | null): number {
  if (failedBefore === null && plan.initial_fail_amount_action === 'CANCEL') return 1;
  const most = plan.max_fail_attempts ?? 0;
  return most === 0 ? Infinity : Math.max(1, most - (failedBefore ?? 0));
}

/** Lets each charge and all its retries fail, until the plan ends the subscription. */
function failing({ spans, charges }: Picture, plan: Plan, failedBefore: number | null): Picture {
  const limit = limitOf(plan, failedBefore);
  const failed: Charge[] = charges.slice(0, limit).map((charge, index) => ({
    ...charge,
    // A failed amount joins the next charge.
    amount: plan.auto_bill_amount ? sumOf(charges.slice(0, index + 1)) : charge.amount,
    state: 'failed',
  }));
  const end = limit === Infinity ? Infinity : (failed.at(-1)?.at ?? 0);
  return {
    charges: failed,
    spans: spans.filter(({ from }) => from <= end).map((span) => ({ ...span, state: 'failed' as const })),
    dots: failed.flatMap((charge) => retriesOf(charge, plan)),
  };
}

function retriesOf({ key, at }: Charge, plan: Plan): Dot[] {
  const { should_retry_payments, max_payment_retries, retry_payment_in_minutes } = plan;
  const tries = 1 + (should_retry_payments ? max_payment_retries : 0);
  return Array.from({ length: tries }, (_, index) => ({
    key: `${key}-try-${String(index)}`,
    at: at + index * retry_payment_in_minutes * MINUTE,
    is: 'try' as const,
    good: false,
    text: 'FAILED',
  }));
}

function sumOf(charges: readonly Charge[]): number {
  return charges.reduce((sum, { amount }) => sum + amount, 0);
}

/** The sum of a picture's coming charges. */
export function sumAhead({ charges }: Picture): { readonly amount: number; readonly charges: number } {
  const ahead = charges.filter(({ source, state }) => source.is === 'ahead' && state !== 'failed');
  return { amount: sumOf(ahead), charges: ahead.length };
}
