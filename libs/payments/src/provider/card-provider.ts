import type { ChargeOutcome } from '../payments/charge-outcome.js';

/** The provider gave no answer that settles the question: away, overloaded, in trouble, or refusing our key. */
export class ProviderUnavailable extends Error {
  override readonly name: string = 'ProviderUnavailable';
}

/** There is no account with the provider for the company, so nothing was asked. */
export class ProviderNotConfigured extends ProviderUnavailable {
  override readonly name = 'ProviderNotConfigured';
}

/** The request surely never reached the provider's work: it may be sent again without asking first. */
export class NotSent extends ProviderUnavailable {
  override readonly name = 'NotSent';
}

/** The code of a refusal because the key was used with other parameters before; money may have moved under it. */
export const KEY_REUSED = 'provider.key_reused';

/** Which payment, and which attempt of it, a thing at the provider belongs to; written into its metadata. */
export interface PaymentTag {
  readonly company: string;
  readonly payment: string;
  readonly attempt: number;
  /** What the payment is for, for people who look at it at the provider. */
  readonly about?: Readonly<Record<string, string>>;
}

/** What a payment is for, written into the metadata too: after a loss of data the provider's books tell it. */
export interface OwedTag {
  readonly subscription: string | null;
  readonly order: string | null;
  readonly kind: string;
  readonly slice: string;
}

/** A request for money. Under one key the parameters never differ. */
export interface ChargeRequest {
  readonly key: string;
  readonly tag: PaymentTag & OwedTag;
  /** Confirms this intent; null creates one and confirms it. */
  readonly intent_id: string | null;
  readonly amount_minor: number;
  readonly currency: string;
  readonly customer_id: string;
  readonly method_id: string;
  /** False while the customer is there to authenticate. */
  readonly off_session: boolean;
}

/** An intent as the provider has it now. */
export interface IntentTruth {
  readonly intent_id: string;
  /** Null for an intent that is none of ours. */
  readonly tag: PaymentTag | null;
  readonly amount_minor: number;
  readonly currency: string;
  readonly outcome: ChargeOutcome;
}

/** An intent in the provider's books. */
export interface BookedIntent extends IntentTruth {
  readonly created: Date;
  readonly customer_id: string | null;
  readonly method_id: string | null;
  /** Null for an intent that does not say so. */
  readonly owed: OwedTag | null;
}

/** What became of an attempt to cancel an intent, which may have succeeded just before. */
export type CancelOutcome =
  { readonly kind: 'cancelled' } | { readonly kind: 'not_cancelled'; readonly truth: IntentTruth };

export interface RefundRequest {
  readonly idempotency_key: string;
  readonly intent_id: string;
  readonly amount_minor: number;
  readonly currency: string;
  /** The refund's own key within the payment; written into its metadata. */
  readonly key: string;
  readonly reason: string | null;
}

export interface RefundTruth {
  readonly refund_id: string;
  /** Null for a refund that was made elsewhere, such as in the provider's dashboard. */
  readonly key: string | null;
  readonly amount_minor: number;
  readonly status: 'pending' | 'succeeded' | 'failed';
}

export type RefundOutcome =
  | { readonly kind: 'known'; readonly truth: RefundTruth }
  | { readonly kind: 'refused'; readonly code: string; readonly message: string };

/** A payment method as the provider has it. */
export interface MethodTruth {
  readonly method_id: string;
  readonly customer_id: string | null;
  readonly type: string;
  readonly brand: string | null;
  readonly last4: string | null;
  readonly exp_month: number | null;
  readonly exp_year: number | null;
  readonly country: string | null;
  readonly fingerprint: string | null;
}

/** The answer to a look at a payment method. */
export type MethodAnswer =
  | { readonly kind: 'known'; readonly method: MethodTruth }
  | { readonly kind: 'refused'; readonly code: string; readonly message: string };

/** One signed webhook: that something happened to an intent, not what. */
export interface ProviderWebhook {
  readonly id: string;
  readonly about: 'intent' | 'refund' | 'dispute' | 'other';
  /** Null when it is about something else than a payment. */
  readonly intent_id: string | null;
  /** The payment that it says to be about: where to look first. */
  readonly named: { readonly company: string; readonly payment: string } | null;
}

export interface NewCustomer {
  readonly key: string;
  readonly company: string;
  readonly user: string;
}

/** The provider's library for browsers. */
export interface ClientLibrary {
  /** Where the library is loaded from; it must not come from anywhere else. */
  readonly script: string;
  readonly publishable_key: string;
  /** What the library talks to, and whose pages it shows in frames: origins, for the policy of the page. */
  readonly connect: readonly string[];
  readonly frame: readonly string[];
}

/**
 * What the service needs from its account with a card provider. Amounts are minor units of ISO 4217; how the provider counts is its
 * adapter's business. Everything but `charge` throws ProviderUnavailable where no answer came.
 */
export abstract class CardProvider {
  /** Names the account; the same for all companies that it serves. */
  abstract readonly account: string;

  /**
   * Does work whose first request has its turn already when the work begins. Throws NotSent, with nothing begun, where
   * the account gets so many requests that no turn is near.
   */
  abstract begin<T>(work: () => Promise<T>): Promise<T>;

  /** What a page needs to let a customer authenticate or save a card; null where that is not set up. */
  abstract clientLibrary(): ClientLibrary | null;

  /** Never throws for what the provider or the network does: an answer that did not come is `unknown`. */
  abstract charge(request: ChargeRequest): Promise<ChargeOutcome>;

  /** Null when there is no such intent. */
  abstract intent(intentId: string): Promise<IntentTruth | null>;

  /**
   * The intent that an attempt opened at `since` created, found by its tag when its answer got lost; null when it
   * made none.
   */
  abstract intentOf(customerId: string, tag: PaymentTag, since: Date): Promise<IntentTruth | null>;

  /** The intents of the account that are older than this one, a page of the newest of them; null begins. */
  abstract intentsBefore(intentId: string | null): Promise<readonly BookedIntent[]>;

  abstract cancel(intentId: string, key: string): Promise<CancelOutcome>;

  abstract refund(request: RefundRequest): Promise<RefundOutcome>;

  abstract refundsOf(intentId: string, currency: string): Promise<RefundTruth[]>;

  /** Whether a bank holds the money back, or took it back, because its customer disputes the charge. */
  abstract disputed(intentId: string): Promise<boolean>;

  /** Makes a customer and returns its id. */
  abstract customer(customer: NewCustomer): Promise<string>;

  /** Opens the saving of a card; the customer's client goes on with the secret. */
  abstract setup(customerId: string, key: string): Promise<{ setup_id: string; client_secret: string }>;

  abstract method(methodId: string): Promise<MethodAnswer>;

  /** Gives the customer a payment method that belongs to nobody. */
  abstract attach(methodId: string, customerId: string): Promise<MethodAnswer>;

  /** Takes it from its customer, after which it can never be charged. */
  abstract detach(methodId: string): Promise<void>;
}
