import { providerMark } from '@commerce/platform';
import type { Id } from '@commerce/records';

/** Something that goes on charging a payment method, such as live subscriptions. */
export interface PaymentMethodUsage {
  /** True while anything of it would be charged by this payment method. */
  uses(company: Id, paymentMethod: Id): Promise<boolean>;
  /** Makes all of it use another one instead. */
  replace(company: Id, paymentMethod: Id, by: Id): Promise<void>;
}

/** Marks a provider that goes on charging payment methods. */
export const UsesPaymentMethods = providerMark<PaymentMethodUsage>();
