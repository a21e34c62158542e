import type { CardProviders } from '@commerce/payments';
import { fault, toMajor, toMinor } from '@commerce/kernel';
import type { Id } from '@commerce/records';

import type { SubscriptionStore } from '../subscription-record/subscription.store.js';

/** Debts that the refusal names. */
const SHOWN = 10;

/** Debts that are read. The table of minimums decides on all but those of which the provider knows a higher one. */
const READ = 100;

/** Who asks for more, and whether it is more; asked only of a customer who owes. */
export interface Asking {
  readonly company: Id;
  readonly user: Id;
  readonly isMore?: () => boolean;
}

/**
 * Refuses a customer who owes until that is paid. Debt that the card provider does not charge by itself waits for the
 * next charge, as nobody can pay it now.
 * @throws Fault `user.owes`, which names what is owed
 */
export async function requireNoDebt(
  store: SubscriptionStore,
  minimums: CardProviders['minimums'],
  { company, user, isMore = () => true }: Asking,
): Promise<void> {
  const fields = ['outstanding_amount', 'carried_amount', 'currency'] as const;
  const all = await store.in(company).parts({ user, deleted: false, ...payable(minimums) }, fields, READ);
  const found = all.filter(
    ({ outstanding_amount, carried_amount, currency }) =>
      toMinor(outstanding_amount, currency) > toMinor(carried_amount, currency),
  );
  if (found.length === 0 || !isMore()) return;
  const owed = found.slice(0, SHOWN).map(({ _id, outstanding_amount, currency }) => ({
    subscription: _id.toHexString(),
    amount: outstanding_amount,
    currency,
  }));
  throw fault('user.owes', 'The user owes for subscriptions: pay that first', { owed });
}

/** The debts that are not below the minimum in their currency, by ranges of their index. */
function payable(minimums: CardProviders['minimums']) {
  const listed = Object.entries(minimums);
  const ranges = listed.map(([currency, minor]) => ({
    currency,
    outstanding_amount: { $gte: toMajor(minor, currency) },
  }));
  const others = { currency: { $nin: Object.keys(minimums) }, outstanding_amount: { $gt: 0 } };
  return { outstanding_amount: { $gt: 0 }, $or: [...ranges, others] };
}
