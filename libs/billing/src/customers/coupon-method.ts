import type { Caller } from '@commerce/data';
import { fieldFault } from '@commerce/kernel';
import type { PaymentMethods } from '@commerce/payments';

import { subscribedOf, type SubscriptionState } from '../domain/lifecycle/subscription-state.js';
import type { SubscriptionRecord } from '../subscription-record/subscription.record.js';
import type { TermsReader } from '../terms/terms-reader.js';

type Holder = Pick<SubscriptionRecord, 'company' | 'user' | 'payment_method'>;

/**
 * A user's subscription with a date to come keeps a redemption from others until then: only one that can be charged
 * may. `state` is the one after the start or change.
 * @throws Fault `payment_method.missing`
 */
export async function requireMethodForCoupon(
  { role }: Pick<Caller, 'role'>,
  { company, user, payment_method }: Holder,
  state: SubscriptionState,
  { terms, methods }: { readonly terms: TermsReader; readonly methods: PaymentMethods },
): Promise<void> {
  const { discount } = subscribedOf(state);
  if (role === 'admin' || state.status !== 'FUTURE' || discount === undefined) return;
  if (!(await terms.isLimited(company, discount))) return;
  if ((await methods.usable(company, user, payment_method)) !== null) return;
  const message = 'A coupon with limited redemptions needs a payment method before the start';
  throw fieldFault('payment_method', message, 'payment_method.missing');
}
