import type { Caller } from '@commerce/data';
import { belowMinimum } from '@commerce/payments';

import { isFirstChargeTooSmall } from '../domain/ahead/first-charge.js';
import type { AheadInput } from '../domain/ahead/lookahead.js';

/** The state after a start or change, and the balance of its customer. */
export interface AheadOfCustomer extends AheadInput {
  readonly minimum_minor: number;
  readonly balance_minor: number;
}

/**
 * Refuses what a user would be served with, and the card provider would not charge.
 * @throws Fault `amount.below_minimum`
 */
export function requireFirstCharge(
  { role }: Pick<Caller, 'role'>,
  { balance_minor, ...ahead }: AheadOfCustomer,
): void {
  if (role === 'admin' || !isFirstChargeTooSmall(ahead, balance_minor)) return;
  throw belowMinimum(ahead.minimum_minor, ahead.terms.plan.currency, 'plan');
}
