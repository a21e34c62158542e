import type { ChargeOutcome } from '../payments/charge-outcome.js';
import type { Dispute } from '../payments/owed-refund.rules.js';

/** The provider gave no conclusive answer: it is unavailable, overloaded, failing, or refuses our key. */
export class ProviderUnavailable extends Error {
  override readonly name: string = 'ProviderUnavailable';
}

/** The company has no account with the provider, so nothing was asked. */
export class ProviderNotConfigured extends ProviderUnavailable {
  override readonly name = 'ProviderNotConfigured';
}

/** The provider refused the request for good: sent again, it is refused again. */
export class ProviderRefused extends ProviderUnavailable {
  override readonly name = 'ProviderRefused';

  constructor(
    readonly code: string,
    message: string,
    /** The parameter that is refused, where the provider names one. */
    readonly param: string | null,
  ) {
    super(message);
  }
}

/** The refusal code of an object that the account does not have: it was deleted, or belongs to another account. */
export const MISSING = 'resource_missing';

/** The request certainly never reached the provider's processing: it may be sent again without asking first. */
export class NotSent extends ProviderUnavailable {
  override readonly name = 'NotSent';
}

/** The refusal code of a key used with other parameters before; money may have moved under it. */
export const KEY_REUSED = 'provider.key_reused';

/** The payment and attempt of an object at the provider; written into its metadata. */
export interface PaymentTag {
  readonly company: string;
  readonly payment: string;
  readonly attempt: number;
  /** The subject of the payment, for people who look at it at the provider. */
  readonly about?: Readonly<Record<string, string>>;
}

/**
 * The debt that a payment is for, also written into the metadata: after a loss of data the provider's books still have
 * it.
 */
export interface OwedTag {
  readonly subscription: string | null;
  readonly order: string | null;
  readonly kind: string;
  readonly period_key: string;
  /** The part of the debt that the balance of the user paid, in minor units of ISO 4217. */
  readonly credit_minor: number;
  /** The coupon that the payment redeems for its subscription. */
  readonly coupon: string | null;
}

/** A request for money. The same key always has the same parameters. */
export interface ChargeRequest {
  readonly key: string;
  readonly tag: PaymentTag & OwedTag;
  /** Confirms this intent; null creates one and confirms it. */
  readonly intent_id: string | null;
  readonly amount_minor: number;
  readonly currency: string;
  readonly customer_id: string;
  readonly method_id: string;
  /** False while the customer is present to authenticate. */
  readonly off_session: boolean;
}

/** An intent in its current state at the provider. */
export interface IntentTruth {
  readonly intent_id: string;
  /** Null for an intent that is not ours. */
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
  /** Null for an intent whose metadata lacks it. */
  readonly owed: OwedTag | null;
}

/** The outcome of an attempt to cancel an intent, which may have succeeded just before. */
export type CancelOutcome =
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'not_cancelled'; readonly truth: IntentTruth };

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

/** A payment method in its state at the provider. */
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

/** The answer to a look-up of a payment method. */
export type MethodAnswer =
  | { readonly kind: 'known'; readonly method: MethodTruth }
  | { readonly kind: 'refused'; readonly code: string; readonly message: string };

/** One signed webhook: it reports that something happened to an intent, but no details. */
export interface ProviderWebhook {
  readonly id: string;
  readonly about: 'intent' | 'refund' | 'dispute' | 'other';
  /** Null when its subject is not a payment. */
  readonly intent_id: string | null;
  /** The payment that it names: the place to look first. */
  readonly named: { readonly company: string; readonly payment: string } | null;
}

export interface NewCustomer {
  readonly key: string;
  readonly company: string;
  readonly user: string;
}

/** The provider's library for browsers. */
export interface ClientLibrary {
  /** The only URL from which the library may be loaded. */
  readonly script: string;
  readonly publishable_key: string;
  /** The origins that the library calls, and those whose pages it shows in frames, for the policy of the page. */
  readonly connect: readonly string[];
  readonly frame: readonly string[];
}

/**
 * An account with a card provider. Amounts are minor units of ISO 4217, which the adapter converts.
 * Every method but `charge` throws ProviderUnavailable where no answer came, and ProviderRefused where it is a refusal.
 */
export abstract class CardProvider {
  /** Names the account; the same for all companies that it serves. */
  abstract readonly account: string;

  /**
   * Runs work whose first request has its turn reserved before the work begins.
   * @throws NotSent, with nothing begun, where the account's rate limit leaves no turn soon
   */
  abstract begin<T>(work: () => Promise<T>): Promise<T>;

  /** The settings with which a page lets a customer authenticate or save a card; null where they are not configured. */
  abstract clientLibrary(): ClientLibrary | null;

  /** Never throws for failures of the provider or the network: a missing answer is `unknown`. */
  abstract charge(request: ChargeRequest): Promise<ChargeOutcome>;

  /** Null when there is no such intent. */
  abstract intent(intentId: string): Promise<IntentTruth | null>;

  /**
   * The intent created by an attempt opened at `since`, found by its tag when the answer got lost; null when there is
   * none. An account that never had the customer refuses.
   */
  abstract intentOf(customerId: string, tag: PaymentTag, since: Date): Promise<IntentTruth | null>;

  /** A page of the account's newest intents older than this one; null begins. */
  abstract intentsBefore(intentId: string | null): Promise<readonly BookedIntent[]>;

  abstract cancel(intentId: string, key: string): Promise<CancelOutcome>;

  abstract refund(request: RefundRequest): Promise<RefundOutcome>;

  abstract refundsOf(intentId: string, currency: string): Promise<RefundTruth[]>;

  /** Whether a bank withholds the money because its customer disputes the charge, or has taken it back for good. */
  abstract dispute(intentId: string): Promise<Dispute>;

  /** Makes a customer and returns its id. */
  abstract customer(customer: NewCustomer): Promise<string>;

  /** Starts the setup of a card; the customer's client continues with the secret. */
  abstract setup(customerId: string, key: string): Promise<{ setup_id: string; client_secret: string }>;

  abstract method(methodId: string): Promise<MethodAnswer>;

  /** Gives the customer a payment method that belongs to nobody. */
  abstract attach(methodId: string, customerId: string): Promise<MethodAnswer>;

  /** Detaches it from its customer, after which it can never be charged. */
  abstract detach(methodId: string): Promise<void>;
}
