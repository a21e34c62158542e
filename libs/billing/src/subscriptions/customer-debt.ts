import type { CustomerSettings } from '@commerce/identity';
import { fault, toMinor } from '@commerce/kernel';
import type { PaymentMethods } from '@commerce/payments';
import type { Id } from '@commerce/records';

import type { SubscriptionStore } from '../subscription-record/subscription.store.js';

/** Debts that the refusal names. */
const SHOWN = 10;

/** Who asks for more, and whether it is more; asked only of a customer who owes. */
interface Asking {
  readonly company: Id;
  readonly user: Id;
  readonly isMore?: () => boolean;
}

/**
 * Refuses a customer who owes until that is paid.
 * @throws Fault `user.owes`, which names what is owed
 */
export async function requireNoDebt(
  store: SubscriptionStore,
  methods: PaymentMethods,
  { may_owe }: Pick<CustomerSettings, 'may_owe'>,
  { company, user, isMore = () => true }: Asking,
): Promise<void> {
  if (may_owe) return;
  const fields = ['outstanding_amount', 'currency'] as const;
  const filter = { user, outstanding_amount: { $gt: 0 }, deleted: false };
  const all = await store.in(company).parts(filter, fields, SHOWN);
  // Less than the card provider charges waits for the next charge: nobody can pay it now.
  const found = all.filter(
    ({ outstanding_amount, currency }) =>
      toMinor(outstanding_amount, currency) >= methods.minimumCharge(currency),
  );
  if (found.length === 0 || !isMore()) return;
  const owed = found.map(({ _id, outstanding_amount, currency }) => ({
    subscription: _id.toHexString(),
    amount: outstanding_amount,
    currency,
  }));
  throw fault('user.owes', 'The user owes for subscriptions: pay that first', { owed });
}
