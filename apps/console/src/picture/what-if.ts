import type { Plan } from '../lists/names';
import { aheadOf, type Charge, type Dot, type Picture, type Upcoming } from './model';

const MINUTE = 60_000;

export interface Assumptions {
  readonly cardFails: boolean;
}

/** The picture of the coming charges, by the plan's own rules. Nothing is stored. */
export function whatIf(
  upcoming: readonly Upcoming[],
  plan: Plan,
  assumed: Assumptions,
  now: number,
): Picture {
  const picture = aheadOf(upcoming, now);
  return assumed.cardFails ? failing(picture, plan) : picture;
}

/** Lets each charge and all its retries fail, until the plan ends the subscription. */
function failing({ spans, charges }: Picture, plan: Plan): Picture {
  const limit = plan.initial_fail_amount_action === 'CANCEL' ? 1 : (plan.max_fail_attempts ?? 0);
  const tried = limit > 0 ? charges.slice(0, limit) : charges;
  const failed: Charge[] = tried.map((charge) => ({ ...charge, state: 'failed' }));
  const end = limit > 0 ? (failed.at(-1)?.at ?? 0) : Infinity;
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

/** The sum of a picture's coming charges. */
export function sumAhead({ charges }: Picture): { readonly amount: number; readonly charges: number } {
  const ahead = charges.filter(({ source, state }) => source.is === 'ahead' && state !== 'failed');
  return { amount: ahead.reduce((sum, { amount }) => sum + amount, 0), charges: ahead.length };
}
