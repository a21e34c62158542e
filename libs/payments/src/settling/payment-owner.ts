import type { Instants } from '@commerce/identity';
import type { ExplainedAmount } from '@commerce/kernel';
import type { Change, RecordStore, UnitOfWork } from '@commerce/data';
import type { Job, JobRequest } from '@commerce/jobs';
import { providerMark } from '@commerce/platform';
import type { Id, OwnedRecord } from '@commerce/records';

import type { RefundDraft } from '../payments/payment-refund.rules.js';
import type { PaymentRecord } from '../payments/payment.record.js';
import type { OwnerKind, SuppliedOf, SuppliedPayment } from './supplied.js';

/** One change of a record of the owner, and the event that reports it. */
export interface OwnerChange<R extends OwnedRecord = OwnedRecord> extends Change<R> {
  readonly store: RecordStore<R>;
  /** The record that the change was decided on: the commit fails where another writer has changed it since. */
  readonly before: R;
}

/** A job for the next due work. It is added after the commit and may be lost: a sweep must find the work too. */
export interface FollowUp<Data extends object = object> {
  readonly job: Job<Data>;
  readonly request: JobRequest<Data>;
}

/** The subject of a payment, in words and amounts. */
export interface PaymentSubject {
  readonly title: string;
  /** The readable id for questions to the customer. */
  readonly reference: string;
  readonly lines: readonly PaymentLine[];
}

/** One line of the amount owed. `amount` is in major units; null where the line has none of its own. */
export interface PaymentLine {
  readonly text: string;
  readonly amount: number | null;
  /** Details in small print. */
  readonly note?: string | null;
}

/** The consequences of a payment's new status. */
export interface OwnerDecision {
  /** Written in the commit that settles the payment; each record at most once. */
  readonly changes: readonly OwnerChange[];
  /** Money of this payment to refund, capped at the rest of it: reserved in the same commit, sent after it. */
  readonly refunds: readonly RefundDraft[];
  readonly followUp: FollowUp | null;
  /**
   * Cancels the intent of this failed payment, so that nobody can pay with its client secret again. Another attempt
   * makes a new intent.
   */
  readonly endsIntent?: boolean;
  /** Returns the credit of this payment, which has failed for good, to the balance of the user. */
  readonly failedForGood?: boolean;
  /** Adds other writes than record changes to the same commit, such as a conditional update. */
  readonly also?: ((work: UnitOfWork) => void | Promise<void>) | null;
}

/**
 * The owner of payments of one kind, such as subscriptions or orders. It decides what a new status means for its own
 * records, and the settlement writes that; nothing else connects payments to their owners.
 */
export interface PaymentOwner {
  readonly kind: OwnerKind;

  /**
   * Decides on every change of the status of one of its payments, and of the amount refunded, from any source: the
   * answer to a charge, a webhook, a confirmation or the reconciler. It reads and decides, but writes nothing: after a
   * conflict it is called again with the new state of the payment. Null where nothing follows.
   *
   * Statuses that the owner itself requested, by opening, retrying or abandoning a payment, are not reported. An
   * abandoned payment can still succeed, when the customer authenticated just before: FAILED to SUCCEEDED.
   *
   * @param known the owner's record that was passed to `PaymentWriter.afterCommit`, as that commit left it; null where
   * the owner has to read its record. A decision of null is made again without it.
   */
  settled(
    before: PaymentRecord,
    after: PaymentRecord,
    now: Instants,
    known: OwnedRecord | null,
  ): Promise<OwnerDecision | null>;

  /**
   * Decides once the provider has confirmed that the intent of a failed payment is cancelled, and can take no more
   * money.
   */
  cancelled?(payment: PaymentRecord): Promise<OwnerDecision | null>;

  /**
   * The subject of one of its payments, shown on the customer's page; null where it can no longer be paid. Without this
   * and `payBy` its payments have no page.
   */
  describe?(payment: PaymentRecord): Promise<PaymentSubject | null>;

  /**
   * Recomputes the amount of one of its payments from the stored breakdown alone; records that it reads provide names
   * only.
   * @throws Fault or RangeError where the breakdown cannot be computed
   */
  explain?(payment: PaymentRecord): Promise<ExplainedAmount>;

  /** Reads, for many of its payments together, what was supplied for them. */
  supplied?(company: Id, payments: readonly SuppliedPayment[]): Promise<SuppliedOf>;

  /** Collects a waiting payment with another payment method of its customer, who is present. */
  payBy?(payment: PaymentRecord, paymentMethod: Id): Promise<void>;
}

/** Marks the provider that owns the payments of one kind. The process does not start where a kind has two. */
export const OwnsPayments = providerMark<PaymentOwner>();
