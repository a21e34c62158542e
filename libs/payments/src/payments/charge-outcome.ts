import type { Decline } from './payment.record.js';

/** The outcome of one attempt, in our own terms. `unknown` is not a failure: the money may have moved. */
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
      /** The request certainly never reached the provider's processing. */
      readonly unsent?: boolean;
    };

/** The failure code of an amount below the provider's minimum. The payment has ended: no retry can succeed. */
export const BELOW_MINIMUM = 'amount.below_minimum';
export const TOO_LITTLE = 'The card provider does not charge so little';

/** The failure code of a cancelled intent: another attempt needs a new one. */
export const INTENT_CANCELLED = 'payment_intent.cancelled';
