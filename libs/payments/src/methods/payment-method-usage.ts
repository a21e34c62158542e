import { providerMark } from '@commerce/platform';
import type { Id } from '@commerce/records';

/** A user of payment methods, such as live subscriptions, which are charged to them. */
export interface PaymentMethodUsage {
  /** True while this payment method would still be charged. */
  uses(company: Id, paymentMethod: Id): Promise<boolean>;
  /** Charges another payment method instead everywhere. */
  replace(company: Id, paymentMethod: Id, by: Id): Promise<void>;
}

/** Marks a provider that charges payment methods. */
export const UsesPaymentMethods = providerMark<PaymentMethodUsage>();
