import type { UnitOfWork } from '@commerce/data';
import { toMajor, toMinor } from '@commerce/kernel';
import { parseId, type Id, type NewValues } from '@commerce/records';

import type { BookedIntent, OwedTag, PaymentTag } from '../provider/card-provider.js';
import { withCheck } from '../payments/check-dates.js';
import { PAYMENT_KINDS, type PaymentAttempt, type PaymentRecord } from '../payments/payment.record.js';
import { applyOutcome, isInFlight, type PaymentChanges } from '../payments/payment.rules.js';

/** An intent whose metadata names its payment. */
export interface TaggedIntent extends BookedIntent {
  readonly tag: PaymentTag;
  readonly owed: OwedTag;
}

/** The payer of a lost payment, and the facts about its owner that a payment repeats. */
export interface LostOwner {
  readonly user: Id;
  readonly test_clock: Id | null;
  /** The breakdown of the amount; null where the owner computes it later. */
  readonly breakdown: object | null;
  /** The part of the amount that earlier payments have failed to collect. */
  readonly debt_minor: number;
  /** Adds to the commit of a payment that was lost entirely. */
  readonly also?: ((work: UnitOfWork) => void) | undefined;
}

/** A payment to write back: its intent, its owner, and the attempt that made the intent. */
export interface LostPayment {
  readonly intent: TaggedIntent;
  readonly owner: LostOwner;
  readonly attempt: PaymentAttempt;
}

/** The key of the thing that a payment is for; unique within its company. */
export function owedBy({ tag, intent_id, owed }: TaggedIntent): Owed {
  const kind = PAYMENT_KINDS.find((one) => one === owed.kind);
  if (kind === undefined) throw new Error(`the intent ${intent_id} is for ${owed.kind}, which is unknown`);
  return {
    company: idIn(tag.company),
    subscription: owed.subscription === null ? null : idIn(owed.subscription),
    order: owed.order === null ? null : idIn(owed.order),
    kind,
    period_key: owed.period_key,
  };
}

export type Owed = Pick<PaymentRecord, 'company' | 'subscription' | 'order' | 'kind' | 'period_key'>;

/** The period key of money collected beside the payment with the intent's own period key. */
export function keyBeside({ intent_id }: BookedIntent): string {
  return `beside-${intent_id}`;
}

/** The payment of an intent, before its outcome is applied. */
export function restoredValues({ intent, owner, attempt }: LostPayment): NewValues<PaymentRecord> {
  const { tag, intent_id, method_id, customer_id, created, currency } = intent;
  const { user, test_clock, breakdown, debt_minor } = owner;
  return {
    ...owedBy(intent),
    _id: idIn(tag.payment),
    user,
    test_clock,
    status: 'PROCESSING',
    amount: toMajor(intent.amount_minor, currency),
    debt_amount: toMajor(debt_minor, currency),
    currency,
    coupon: parseId(intent.owed.coupon ?? ''),
    payment_method: attempt.payment_method,
    attempts: [attempt],
    metadata: { payment_intent_id: intent_id, payment_method_id: method_id },
    provider: { name: 'stripe', intent_id, charge_id: null },
    request: {
      number: tag.attempt,
      answered: true,
      opened_at: created,
      intent_id: null,
      replaces: null,
      customer_id: customer_id ?? '',
      method_id: method_id ?? '',
      off_session: true,
    },
    // Until its owner has computed it, the breakdown holds only the origin of the payment.
    breakdown: { ...breakdown, restored_from: intent_id },
    // If the process dies before an owner has followed it, the reconciler continues.
    check_at: created,
  };
}

/** The attempt that made an intent. */
export function lostAttempt({ tag, created }: TaggedIntent, payment_method: Id | null): PaymentAttempt {
  const nothing = { code: null, message: null, decline: null };
  return { number: tag.attempt, at: created, payment_method, status: 'PROCESSING', ...nothing };
}

/**
 * The changes by which a waiting payment counts an intent of an unknown attempt; an intent of its own that could still
 * take money is cancelled. Null where the payment has been collected meanwhile.
 */
export function countLost(
  payment: PaymentRecord,
  attempt: PaymentAttempt,
  { outcome, intent_id, method_id }: BookedIntent,
  { real, leaseEnd }: { readonly real: Date; readonly leaseEnd: Date },
): PaymentChanges | null {
  const others = payment.attempts.filter(({ number }) => number !== attempt.number);
  const attempts = [...others, attempt].sort((a, b) => a.number - b.number);
  const changes = applyOutcome({ ...payment, attempts }, attempt.number, outcome, real);
  if (changes === null) return null;
  const metadata = { payment_intent_id: intent_id, payment_method_id: method_id };
  const counted = { ...changes, payment_method: attempt.payment_method, metadata };
  const former = payment.provider.intent_id;
  if (former === null || former === intent_id || payment.cancel_intent !== null) return counted;
  const cancel = { cancel_intent: former, cancel_check: { at: leaseEnd, tries: 0 } };
  return withCheck(payment, { ...counted, ...cancel });
}

/** True for the intent that a payment counts, or that its current attempt may have made. */
export function isOwnIntent(payment: PaymentRecord, { intent_id, tag }: TaggedIntent): boolean {
  const { provider, request, status } = payment;
  if (provider.intent_id === intent_id || request?.intent_id === intent_id) return true;
  return isInFlight(status) && request?.answered === false && request.number === tag.attempt;
}

export function isOfSameAmount({ amount, currency }: PaymentRecord, intent: BookedIntent): boolean {
  return currency === intent.currency && toMinor(amount, currency) === intent.amount_minor;
}

function idIn(text: string): Id {
  const id = parseId(text);
  if (id === null) throw new Error(`${text} in the metadata of an intent is not an id`);
  return id;
}
