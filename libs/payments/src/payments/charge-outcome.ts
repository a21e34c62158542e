import type { Decline } from './payment.record.js';

/** How one attempt went, in our own words. `unknown` is not a failure: the money may have moved. */
export type ChargeOutcome =
  | { readonly kind: 'succeeded'; readonly intent_id: string; readonly charge_id: string | null }
  | {
      readonly kind: 'failed';
      readonly decline: Decline;
      readonly code: string;
      readonly message: string;
      readonly intent_id: string | null;
    }
  | { readonly kind: 'requires_auth'; readonly intent_id: string; readonly client_secret: string }
  | { readonly kind: 'processing'; readonly intent_id: string }
  | {
      readonly kind: 'unknown';
      readonly reason: string;
      /** The request surely never reached the provider's work. */
      readonly unsent?: boolean;
    };

/** The code of a failure because the provider does not charge so little. The payment has ended: no retry mends it. */
export const BELOW_MINIMUM = 'amount.below_minimum';
export const TOO_LITTLE = 'The card provider does not charge so little';

/** The code of a failure because the intent was cancelled: another attempt needs a new one. */
export const INTENT_CANCELLED = 'payment_intent.cancelled';
