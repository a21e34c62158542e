import type { PaymentRecord } from '@commerce/payments';

import type { OrderRecord } from '../orders/order.record.js';

/**
 * The answer to a request that pays: the order, a declined card, an amount that the provider does not charge, or the
 * authentication of a customer who is present, for which the payment carries its client secret.
 */
export type OrderOutcome =
  | { readonly kind: 'order'; readonly order: OrderRecord }
  | { readonly kind: 'declined'; readonly order: OrderRecord; readonly payment: PaymentRecord }
  | { readonly kind: 'below_minimum'; readonly order: OrderRecord; readonly payment: PaymentRecord }
  | { readonly kind: 'authentication'; readonly payment: PaymentRecord };
