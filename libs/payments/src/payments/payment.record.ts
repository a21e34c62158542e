import { ANY_DATE, ANY_TEXT } from '@commerce/data';
import {
  Amount,
  Choice,
  Currency,
  Flag,
  Instant,
  Integer,
  ListOf,
  OwnedRecord,
  RecordOf,
  Ref,
  Text,
  Written,
  type Id,
} from '@commerce/records';

import { PaymentRefund } from './payment-refund.js';
import { METADATA_SCHEMA, PROVIDER_SCHEMA } from './payment-schemas.js';
import { samplePayment } from './payment-sample.js';

export const PAYMENT_KINDS = ['setup', 'period', 'proration', 'order'] as const;
export type PaymentKind = (typeof PAYMENT_KINDS)[number];

export const PAYMENT_STATUSES = [
  'CREATED',
  'PROCESSING',
  'SUCCEEDED',
  'FAILED',
  'REQUIRES_AUTH',
  'UNKNOWN',
  'PARTIALLY_REFUNDED',
  'REFUNDED',
  'DISPUTED',
] as const;
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

export const ATTEMPT_STATUSES = ['PROCESSING', 'SUCCEEDED', 'FAILED', 'REQUIRES_AUTH', 'UNKNOWN'] as const;
export type AttemptStatus = (typeof ATTEMPT_STATUSES)[number];

/** A soft decline may succeed later with the same card; a hard one waits for another payment method. */
export type Decline = 'soft' | 'hard';

/** One attempt to collect a payment. */
export class PaymentAttempt {
  @Integer({ min: 1, description: '1, 2, 3… within the payment' })
  number: number;

  @Instant({ description: 'when it was opened; the date of the test clock where there is one' })
  at: Date;

  @Ref('payment method', { optional: true })
  payment_method: Id | null;

  @Choice(ATTEMPT_STATUSES, { description: 'how it went' })
  status: AttemptStatus;

  @Text({ optional: true, description: 'why it did not succeed', example: 'card_declined' })
  code: string | null;

  @Text({ optional: true, max: 1024, description: 'why it did not succeed, for people' })
  message: string | null;

  @Choice(['soft', 'hard'], {
    optional: true,
    fold: 'lower',
    description: 'soft: the same card may succeed later; hard: another payment method is needed',
  })
  decline: Decline | null;
}

/** The data with which the customer's client authenticates; the client secret is added where it may be seen. */
export interface PaymentMetadata {
  readonly payment_intent_id: string | null;
  readonly payment_method_id: string | null;
}

/** The ids of the payment at the card provider. */
export interface ProviderReference {
  readonly name: string;
  readonly intent_id: string | null;
  readonly charge_id: string | null;
}

/**
 * The provider request of the current attempt, fixed when the attempt is opened: every repetition sends the same
 * parameters under the same idempotency key, because the provider refuses a key with other parameters.
 */
export interface ProviderRequest {
  readonly number: number;
  /** The provider has given a definite answer: from then on nothing is sent again, only the intent is looked up. */
  readonly answered: boolean;
  /** Real time, also on a test clock: the provider forgets a key after a day. */
  readonly opened_at: Date;
  /** Confirms this intent; null creates one. */
  readonly intent_id: string | null;
  /** The intent that is cancelled for good before the new one is made. */
  readonly replaces: string | null;
  readonly customer_id: string;
  readonly method_id: string;
  readonly off_session: boolean;
  /** Number of times that it certainly did not reach the provider. */
  readonly unsent?: number;
}

/** Date of the next check of one piece of work, and the number of consecutive checks without an answer. */
export interface WorkCheck {
  readonly at: Date;
  readonly tries: number;
}

/** One amount owed, and the attempts to collect it. Stored before the provider is asked for money. */
@RecordOf({
  collection: 'payments',
  noun: 'payment',
  cls: 'Payment',
  touched: 'updated',
  owner: 'user',
  list: {
    sorts: ['created', 'updated', 'amount', '_id'],
    by: {
      user: ['created', 'updated'],
      subscription: ['created'],
      status: ['created'],
      test_clock: ['created'],
      currency: ['created'],
    },
  },
  indexes: [
    {
      fields: { company: 1, subscription: 1, order: 1, kind: 1, period_key: 1 },
      options: { unique: true },
      taken: { code: 'payment.exists', path: 'period_key', message: 'There is a payment for this already' },
    },
    { fields: { check_at: 1 }, options: { partialFilterExpression: { check_at: ANY_DATE } } },
    {
      fields: { company: 1, 'provider.charge_id': 1 },
      options: { unique: true, partialFilterExpression: { 'provider.charge_id': ANY_TEXT } },
    },
    { fields: { owed_amount: 1 }, options: { partialFilterExpression: { owed_amount: { $gt: 0 } } } },
  ],
  sample: samplePayment,
})
export class PaymentRecord extends OwnedRecord {
  @Ref('user')
  user: Id;

  @Ref('subscription', { optional: true })
  subscription: Id | null;

  @Ref('order', { optional: true })
  order: Id | null;

  @Choice(PAYMENT_KINDS, { fold: 'lower', description: 'what it is for' })
  kind: PaymentKind;

  /** The key of the amount owed: unique with subscription, order and kind. */
  @Text({ hidden: true })
  period_key: string;

  @Choice(PAYMENT_STATUSES, {
    description: 'how its collection goes; UNKNOWN while the card provider has not said',
  })
  status: PaymentStatus;

  @Amount({ description: 'what the card is to pay, in major units of the currency, VAT included' })
  amount: number;

  @Amount({
    default: 0,
    description:
      'what the balance of the user pays beside the amount; 0 again once the payment failed for good',
  })
  credit_applied: number;

  @Currency()
  currency: string;

  /**
   * The part of the amount that earlier payments failed to collect; they no longer count as failed once this one
   * succeeds.
   */
  @Amount({ default: 0, hidden: true })
  debt_amount: number;

  /** The coupon that its success would redeem for the first time; the provider's books keep it, too. */
  @Ref('coupon', { optional: true, hidden: true })
  coupon: Id | null;

  @Instant({ optional: true, description: 'the beginning of the period that it pays for; null for orders' })
  period_start: Date | null;

  @Instant({ optional: true, description: 'the end of that period, which is not included; null for orders' })
  period_end: Date | null;

  @Ref('payment method', { optional: true })
  payment_method: Id | null;

  @ListOf(() => PaymentAttempt, { description: 'every attempt to collect it, the first one first' })
  attempts: PaymentAttempt[];

  @Amount({ default: 0, description: 'given back so far' })
  refunded_amount: number;

  @Amount({ default: 0, description: 'what could not be given back yet, as the refunds say' })
  owed_amount: number;

  @ListOf(() => PaymentRefund, { description: 'what was given back, or is on its way' })
  refunds: PaymentRefund[];

  @Written({
    packed: true,
    description: 'inputs, rules and rounding steps from which the amount can be recomputed',
    schema: { type: 'object', additionalProperties: true },
  })
  breakdown: object;

  @Written({ description: 'what is needed to authenticate the payment again', schema: METADATA_SCHEMA })
  metadata: PaymentMetadata;

  @Written({ description: 'the payment as the card provider knows it', schema: PROVIDER_SCHEMA })
  provider: ProviderReference;

  @Text({
    optional: true,
    max: 4096,
    description: 'the page for the customer; shown to admins while the payment waits for the customer',
  })
  pay_url: string | null;

  @Ref('test clock', { optional: true, hidden: true })
  test_clock: Id | null;

  @Text({ optional: true, hidden: true, sealed: true })
  client_secret: string | null;

  @Written({ hidden: true })
  request: ProviderRequest | null;

  /** The intent to cancel. */
  @Text({ optional: true, hidden: true })
  cancel_intent: string | null;

  /** The intent whose cancellation the provider has confirmed: another attempt makes a new one. */
  @Text({ optional: true, hidden: true })
  cancelled_intent: string | null;

  @Flag({ default: false, hidden: true })
  abandoned: boolean;

  /** DISPUTED for good: the bank has given its customer what the card had paid. */
  @Flag({ default: false, hidden: true })
  dispute_lost: boolean;

  /** Date of the reconciler's next check; real time, also on a test clock. Null when nothing is open. */
  @Instant({ optional: true, hidden: true })
  check_at: Date | null;

  /** `check_at` is the earliest of these dates whose work is open. */
  @Instant({ optional: true, hidden: true })
  charge_check_at: Date | null;

  @Written({ hidden: true })
  cancel_check: WorkCheck | null;

  @Written({ hidden: true })
  refund_check: WorkCheck | null;

  /** Number of consecutive checks without an answer of the provider about the charge. */
  @Integer({ default: 0, hidden: true })
  checks: number;

  @Instant({ last: true })
  updated: Date;
}
