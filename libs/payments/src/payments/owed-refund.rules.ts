import { toMajor } from '@commerce/kernel';

import { withCheck } from './check-dates.js';
import {
  cappedRefund,
  failures,
  refundChanges,
  type RefundDraft,
  type Reserved,
} from './payment-refund.rules.js';
import type { PaymentRefund } from './payment-refund.js';
import type { PaymentRecord } from './payment.record.js';
import {
  statusByRefunds,
  heldMinor,
  isRefundable,
  lessOwed,
  owedAmount,
  owedMinor,
  paidMinor,
} from './refund-amounts.js';
import { nextOwedTry } from './reconcile-schedule.js';
import type { PaymentChanges } from './payment.rules.js';

/**
 * Reserves a refund required by the service's own rules, capped at the rest beside what is owed. Where a dispute
 * prevents it, it is recorded as owed and tried again; null where nothing is left.
 */
export function reserveOrOwe(
  payment: PaymentRecord,
  refund: RefundDraft,
  now: Date,
  checkAt: Date,
): Reserved | null {
  const { key, reason, to = 'card' } = refund;
  if (isRefundable(payment)) {
    const capped = cappedRefund(payment, refund);
    return capped === null ? null : refundChanges(payment, capped, now, checkAt);
  }
  const amount_minor = Math.min(refund.amount_minor, heldMinor(payment));
  if (amount_minor <= 0 || payment.refunds.some((one) => one.key === key)) return null;
  const amount = toMajor(amount_minor, payment.currency);
  const none = { provider_refund_id: null, requested_by: null, instead_of: null };
  const failed = { status: 'FAILED', owed: amount, code: 'payment.disputed' } as const;
  const row: PaymentRefund = { ...none, ...failed, key, amount, to, reason, at: now };
  const refunds = [...payment.refunds, row];
  return withCheck(payment, {
    refunds,
    owed_amount: owedAmount({ ...payment, refunds }),
    refund_check: { at: nextOwedTry(failures(refunds), checkAt), tries: 0 },
  });
}

/**
 * Reserves each owed refund again, under another key and capped at the rest of the payment; while a dispute prevents
 * it, the next try is later. Null where nothing is owed, or the date has not come.
 * @param real real time
 */
export function renewOwed(
  payment: PaymentRecord,
  now: Date,
  { real, leaseEnd }: { readonly real: Date; readonly leaseEnd: Date },
): Reserved | null {
  const { refund_check, refunds } = payment;
  if (owedMinor(payment) === 0 || (refund_check !== null && refund_check.at > real)) return null;
  const later = { at: nextOwedTry(failures(refunds) + 1, real), tries: 0 };
  if (!isRefundable(payment)) return withCheck(payment, { ...heldFields(payment), refund_check: later });
  const after = refunds
    .filter(({ owed = 0 }) => owed > 0)
    .reduce((held, row) => renewed(held, row, now, leaseEnd), payment);
  const { status, refunded_amount } = after;
  return withCheck(payment, {
    ...heldFields(after),
    ...{ status, refunded_amount },
    refund_check: after === payment ? later : after.refund_check,
  });
}

/** The payment with one owed refund reserved again. What has been refunded in another way is no longer owed. */
function renewed(
  payment: PaymentRecord,
  { key: instead_of, to, reason }: PaymentRefund,
  now: Date,
  leaseEnd: Date,
): PaymentRecord {
  const owed = owedMinor(payment, instead_of);
  const draft: RefundDraft = {
    key: `owed-${String(payment.refunds.length)}`,
    amount_minor: owed,
    reason: reason ?? 'owed since an earlier refund failed',
    instead_of,
    ...(to === undefined ? {} : { to }),
  };
  const capped = cappedRefund(payment, draft);
  const changes = capped === null ? null : refundChanges(payment, capped, now, leaseEnd);
  const after: PaymentRecord = Object.assign(copyOf(payment), changes);
  return Object.assign(after, { refunds: lessOwed(after, instead_of, owed) });
}

function copyOf(payment: PaymentRecord): PaymentRecord {
  return Object.assign(Object.create(Object.getPrototypeOf(payment) as object) as PaymentRecord, payment);
}

function heldFields(payment: PaymentRecord): Pick<PaymentRecord, 'refunds' | 'owed_amount'> {
  return { refunds: payment.refunds, owed_amount: owedAmount(payment) };
}

/** The state of the dispute of a charge; `lost`: the bank has given the money to its customer for good. */
export type Dispute = 'none' | 'open' | 'lost';

/**
 * The changes once the provider has reported the dispute of a charge; null where there are none. Refunds that waited
 * for a dispute that was won are due; those that the bank has made by deciding for its customer are no longer owed.
 * @param real real time
 */
export function applyDispute(payment: PaymentRecord, dispute: Dispute, real: Date): PaymentChanges | null {
  const dispute_lost = dispute === 'lost';
  const status = dispute === 'none' ? statusByRefunds(payment) : 'DISPUTED';
  const isDisputed = payment.status === 'DISPUTED';
  if (isDisputed === (dispute !== 'none') && payment.dispute_lost === dispute_lost) return null;
  const after = Object.assign(copyOf(payment), { status, dispute_lost });
  const refunds = dispute_lost ? withinRest(after) : payment.refunds;
  return withCheck(payment, {
    ...{ status, dispute_lost, refunds },
    owed_amount: owedAmount({ ...payment, refunds }),
    ...(dispute === 'open' ? {} : { refund_check: { at: real, tries: 0 } }),
  });
}

/** The refunds, with what they owe cut to what the payment still holds, the oldest first. */
function withinRest(payment: PaymentRecord): PaymentRefund[] {
  return payment.refunds.reduce<PaymentRefund[]>((refunds, { key }) => {
    const now = { refunds, currency: payment.currency };
    const over = owedMinor(now) - paidMinor(payment);
    return over > 0 ? lessOwed(now, key, over) : refunds;
  }, payment.refunds);
}
