import type { PaymentDraft } from '@commerce/payments';

import type { Charge } from '../domain/cycle/decision.js';
import { couponToRedeem } from '../subscription-record/coupon-redemption.js';
import type { SubscriptionRecord } from '../subscription-record/subscription.record.js';

/** The payment of a subscription for a charge that was decided. */
export function chargeDraft(
  subscription: SubscriptionRecord,
  charge: Charge,
  off_session: boolean,
): PaymentDraft {
  const { company, user, _id, currency, payment_method, test_clock } = subscription;
  const owed = { company, user, subscription: _id, order: null, currency, payment_method, test_clock };
  const { redeems, ...asked } = charge;
  return { ...asked, ...owed, coupon: couponToRedeem(subscription, redeems), off_session };
}
