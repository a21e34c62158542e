import type { Reply } from 'commerce-service-client';

export type Payment = Reply<'/payments/{id}', 'get'>;

/** One line of a preview. */
export type Previewed = Reply<'/subscriptions/preview', 'post'>[number];

/** A payment in an event, where ids are strings. */
export interface ShownPayment {
  readonly _id: string;
  readonly metadata: { readonly payment_intent_id: string; readonly intent_client_secret: string };
}
