import type { PaymentRecord } from '@commerce/payments';

import type { OrderRecord } from '../orders/order.record.js';

/**
 * What whoever pays is told: the order, that the card was declined, or that the customer has to authenticate. In the
 * last the payment carries its client secret; it is for a customer who is there.
 */
export type OrderOutcome =
  | { readonly kind: 'order'; readonly order: OrderRecord }
  | { readonly kind: 'declined'; readonly order: OrderRecord; readonly payment: PaymentRecord }
  | { readonly kind: 'authentication'; readonly payment: PaymentRecord };
