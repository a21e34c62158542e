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
  | { readonly kind: 'unknown'; readonly reason: string };

/** The code of a failure because the intent was cancelled: another attempt needs a new one. */
export const INTENT_CANCELLED = 'payment_intent.cancelled';
