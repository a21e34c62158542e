import type { Type } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import type { Instants } from '@commerce/identity';
import type { ExplainedAmount } from '@commerce/kernel';
import type { Change, RecordStore, UnitOfWork } from '@commerce/data';
import type { Job, JobRequest } from '@commerce/jobs';
import type { Id, OwnedRecord } from '@commerce/records';

import type { RefundDraft } from '../payments/payment-refund.rules.js';
import type { PaymentRecord } from '../payments/payment.record.js';

/** What a payment can be for; each kind has at most one owner. */
export type OwnerKind = 'subscription' | 'order';

/** One change of a record of the owner, and the event that tells of it. */
export interface OwnerChange<R extends OwnedRecord = OwnedRecord> extends Change<R> {
  readonly store: RecordStore<R>;
  /** The record that the change was decided on: the commit fails where another writer has changed it since. */
  readonly before: R;
}

/** A job for what is due next. It is added after the commit and may be lost: a sweep must find the work too. */
export interface FollowUp<Data extends object = object> {
  readonly job: Job<Data>;
  readonly request: JobRequest<Data>;
}

/** What a payment is for, in words and amounts. */
export interface PaymentSubject {
  readonly title: string;
  /** The readable id that the customer may be asked for. */
  readonly reference: string;
  readonly lines: readonly PaymentLine[];
}

/** One line of what is owed. `amount` is in major units; null where the line has none of its own. */
export interface PaymentLine {
  readonly text: string;
  readonly amount: number | null;
}

/** What follows from the new status of a payment. */
export interface OwnerDecision {
  /** Written in the commit that settles the payment; each record at most once. */
  readonly changes: readonly OwnerChange[];
  /** Money of this payment to give back, as far as there is any left: reserved in the same commit, sent after it. */
  readonly refunds: readonly RefundDraft[];
  readonly followUp: FollowUp | null;
  /**
   * Cancels the intent of this payment, which has failed, so that nobody can pay with its client secret again. Another
   * attempt makes a new intent.
   */
  readonly endsIntent?: boolean;
  /** Adds what is no change of a record to the same commit, such as a conditional update. */
  readonly also?: ((work: UnitOfWork) => void) | null;
}

/**
 * What a payment is for, such as a subscription or an order. It decides what a new status of the payment means to its
 * own records; the settlement writes it. Nothing else connects payments to those who are owed.
 */
export interface PaymentOwner {
  /**
   * Decides on every change of the status of one of its payments, and of the amount refunded, whoever caused it: the
   * answer to a charge, a webhook of the provider, a confirmation or the reconciler. It reads and decides, but writes
   * nothing: where another writer was quicker it is asked again, about the payment as it is then. Null where nothing
   * follows.
   *
   * Statuses that only the owner itself asked for, by opening, retrying or abandoning a payment, are not reported.
   * An abandoned payment can still succeed, when the customer authenticated at the same moment: FAILED to SUCCEEDED.
   *
   * @param known the record of the owner that was handed to `PaymentWriter.afterCommit`, as that commit left it; null
   * where the owner has to read its record. A decision of null is asked for again without it.
   */
  settled(
    before: PaymentRecord,
    after: PaymentRecord,
    now: Instants,
    known: OwnedRecord | null,
  ): Promise<OwnerDecision | null>;

  /** Decides once the provider has confirmed that the intent of a failed payment is cancelled: it takes no money any more. */
  cancelled?(payment: PaymentRecord): Promise<OwnerDecision | null>;

  /**
   * What the customer reads on the page for one of its payments; null where nobody can pay it any more. Without this
   * and `payBy` its payments have no page.
   */
  describe?(payment: PaymentRecord): Promise<PaymentSubject | null>;

  /**
   * Recomputes the amount of one of its payments from the stored breakdown and from nothing else; records that it reads
   * give names only. Throws a fault or RangeError where the breakdown cannot be computed.
   */
  explain?(payment: PaymentRecord): Promise<ExplainedAmount>;

  /** Collects a waiting payment by another payment method of its customer, who is there. */
  payBy?(payment: PaymentRecord, paymentMethod: Id): Promise<void>;
}

/** Finds the owners among the providers of all modules. */
export const PAYMENT_OWNERS = DiscoveryService.createDecorator<OwnerKind>();

/**
 * Marks the provider that owns the payments of one kind. That, and listing it in a module, is all there is to a new
 * owner: two files. The process does not start where a kind has two.
 *
 * ```ts
 * @Injectable()
 * @OwnsPayments('order')
 * export class OrderPaymentOwner implements PaymentOwner { … }
 * ```
 */
export function OwnsPayments(kind: OwnerKind) {
  return (owner: Type<PaymentOwner>): void => {
    PAYMENT_OWNERS(kind)(owner);
  };
}
