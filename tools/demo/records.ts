/** As far as the demo looks into them: the service's records as they come over HTTP. */

/** What `company:create --json` prints. */
export interface Keys {
  readonly api_key: string;
  readonly service_key: string;
}

export interface Identified {
  readonly _id: { readonly $oid: string };
}

export interface Instant {
  readonly $date: number;
}

export interface TestClock extends Identified {
  readonly status: string;
}

export interface PaymentMethod extends Identified {
  readonly setup_intent: { readonly client_secret: string };
}

export interface Subscription extends Identified {
  readonly status: string;
  readonly prorate_amount: number;
}

export interface Order extends Identified {
  readonly status: string;
  readonly amount: number;
  readonly currency: string;
  readonly payment: { readonly $oid: string };
}

export interface Payment extends Identified {
  readonly status: string;
  readonly amount: number;
  readonly refunded_amount: number;
  readonly currency: string;
  readonly created: Instant;
  readonly period_start: Instant;
  readonly period_end: Instant;
  readonly metadata: { readonly payment_intent_id: string };
}

/** A payment in an event, where ids are texts. */
export interface PaymentTold {
  readonly _id: string;
  readonly metadata: { readonly payment_intent_id: string; readonly intent_client_secret: string };
}

/** One line of a preview. */
export interface Previewed {
  readonly date: Instant;
  readonly amount: number;
}
