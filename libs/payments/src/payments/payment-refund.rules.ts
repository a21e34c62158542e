import { fault, toMajor } from '@commerce/kernel';

import { hasOwedRefund, withCheck } from './check-dates.js';
import { nextOwedTry, nextTry } from './reconcile-schedule.js';
import type { PaymentRefund, RefundTarget } from './payment-refund.js';
import type { PaymentRecord, WorkCheck } from './payment.record.js';
import {
  isRefundable,
  lessOwed,
  owedMinor,
  paidByCardMinor,
  paidMinor,
  refundableMinor,
  totalsOfRefunds,
} from './refund-amounts.js';

/** The provider's report on one refund. `key` is null for one made elsewhere. */
export type RefundNews =
  | {
      readonly kind: 'known';
      readonly key: string | null;
      readonly refund_id: string;
      readonly amount_minor: number;
      readonly status: 'pending' | 'succeeded' | 'failed';
    }
  | { readonly kind: 'refused'; readonly key: string; readonly code: string };

type RefundChanges = Pick<PaymentRecord, 'refunds' | 'refunded_amount' | 'owed_amount' | 'status'>;

export type Reserved = Pick<PaymentRecord, 'refunds' | 'owed_amount' | 'check_at'> &
  Partial<Pick<PaymentRecord, 'refund_check' | 'refunded_amount' | 'status'>>;

/** A refund to reserve. The same `key` always means the same refund. */
export interface RefundDraft {
  /** Unique within the payment. */
  readonly key: string;
  readonly amount_minor: number;
  readonly reason: string | null;
  /** The API key of the admin who requested it. */
  readonly requested_by?: string;
  /** The key of an owed refund in whose place it is made: less is owed by then. */
  readonly instead_of?: string;
  /** Where the money goes; `card` unless given, and to the balance beyond the part that the card paid. */
  readonly to?: RefundTarget;
}

/**
 * Reserves a refund; null when one with this key exists. `now` is business time.
 * @throws Fault `payment.state_conflict` when nothing was captured; `refund.too_large` when less than that is left
 */
export function reserveRefund(
  payment: PaymentRecord,
  refund: RefundDraft,
  now: Date,
): Pick<PaymentRecord, 'refunds' | 'owed_amount' | 'refunded_amount' | 'status'> | null {
  const { key, amount_minor } = refund;
  if (payment.refunds.some((one) => one.key === key)) return null;
  if (!isRefundable(payment)) {
    throw fault('payment.state_conflict', `A payment that is ${payment.status} cannot be refunded`, {
      status: payment.status,
    });
  }
  const { instead_of } = refund;
  const left = refundableInstead(payment, instead_of);
  if (amount_minor > left || amount_minor <= 0) throw tooLarge(payment, left);
  const before = instead_of === undefined ? payment.refunds : lessOwed(payment, instead_of, amount_minor);
  const refunds = [...before, ...rowsOf(payment, refund, now)];
  return { ...totalsOfRefunds(payment, refunds), refunds };
}

/** The refundable amount, with what the refund owes that another one takes the place of. */
function refundableInstead(payment: PaymentRecord, instead_of: string | undefined): number {
  const owed = instead_of === undefined || !isRefundable(payment) ? 0 : owedMinor(payment, instead_of);
  return Math.min(paidMinor(payment), refundableMinor(payment) + owed);
}

function tooLarge(payment: PaymentRecord, left: number): Error {
  const { currency, owed_amount } = payment;
  const refundable = toMajor(left, currency);
  const owed = owed_amount > 0 ? `; ${owed_amount} more are owed by refunds that failed: see instead_of` : '';
  return fault('refund.too_large', `At most ${refundable} ${currency} can be refunded${owed}`, {
    refundable,
    errors: [
      {
        path: 'amount',
        code: 'refund.too_large',
        message: `amount must be above 0 and at most ${refundable}`,
      },
    ],
  });
}

/** The rows of a refund: one for the card, and one for the balance. */
function rowsOf(
  payment: PaymentRecord,
  { key, amount_minor, reason, requested_by, instead_of, to = 'card' }: RefundDraft,
  at: Date,
): PaymentRefund[] {
  const card = to === 'card' ? Math.min(amount_minor, paidByCardMinor(payment)) : 0;
  const row = (minor: number, values: Pick<PaymentRefund, 'key' | 'to' | 'status'>): PaymentRefund => ({
    ...values,
    ...{ reason, provider_refund_id: null, requested_by: requested_by ?? null, owed: 0, code: null, at },
    instead_of: instead_of ?? null,
    amount: toMajor(minor, payment.currency),
  });
  const rest = amount_minor - card;
  const restKey = card > 0 ? `${key}-balance` : key;
  return [
    ...(card > 0 ? [row(card, { key, to: 'card', status: 'PENDING' })] : []),
    ...(rest > 0 ? [row(rest, { key: restKey, to: 'balance', status: 'SUCCEEDED' })] : []),
  ];
}

/** Date of the next check of refunds: soon for pending ones, later for failed ones; null where none is open. */
export function refundCheck(refunds: readonly PaymentRefund[], real: Date): WorkCheck | null {
  if (refunds.some(({ status }) => status === 'PENDING')) return { at: nextTry(1, real), tries: 1 };
  if (!hasOwedRefund({ refunds: [...refunds] })) return null;
  return { at: nextOwedTry(failures(refunds), real), tries: 0 };
}

export function failures(refunds: readonly PaymentRefund[]): number {
  return refunds.filter(({ status }) => status === 'FAILED').length;
}

/** A refund capped at the rest of the payment; null where nothing is left. */
export function cappedRefund(payment: PaymentRecord, refund: RefundDraft): RefundDraft | null {
  const amount_minor = Math.min(refund.amount_minor, refundableInstead(payment, refund.instead_of));
  return amount_minor > 0 ? { ...refund, amount_minor } : null;
}

/**
 * As reserveRefund, with all fields needed to send the refund; the reconciler sends it at `checkAt` if no other process
 * has.
 */
export function refundChanges(
  payment: PaymentRecord,
  refund: RefundDraft,
  now: Date,
  checkAt: Date,
): Reserved | null {
  const reserved = reserveRefund(payment, refund, now);
  if (reserved === null) return null;
  const isSent = reserved.refunds.some((row) => row.status === 'PENDING' && row.key === refund.key);
  const refund_check = isSent ? { at: checkAt, tries: 0 } : payment.refund_check;
  return withCheck(payment, { ...reserved, refund_check });
}

/**
 * The changes that follow from the provider's report on refunds; null when there are none. A refund that the provider
 * accepted may still fail at the customer's bank, and the money returns to us.
 */
export function applyRefunds(
  payment: PaymentRecord,
  news: readonly RefundNews[],
  now: Date,
): RefundChanges | null {
  let refunds = payment.refunds;
  for (const one of news) refunds = withNews(payment, refunds, one, now);
  if (refunds === payment.refunds) return null;
  return { refunds, ...totalsOfRefunds(payment, refunds) };
}

function withNews(
  payment: PaymentRecord,
  refunds: PaymentRefund[],
  news: RefundNews,
  now: Date,
): PaymentRefund[] {
  const index = refunds.findIndex((row) =>
    news.kind === 'known'
      ? row.provider_refund_id === news.refund_id || row.key === news.key
      : row.key === news.key,
  );
  const row = refunds[index];
  if (row === undefined) return news.kind === 'known' ? withForeign(payment, refunds, news, now) : refunds;
  const next: PaymentRefund =
    news.kind === 'refused'
      ? { ...row, status: 'FAILED', code: news.code }
      : { ...row, status: STATUS[news.status], provider_refund_id: news.refund_id };
  // A refund refused by the provider or returned by the bank is owed until it, or the bank, has given it back.
  if (next.status === 'FAILED' && row.status !== 'FAILED' && isOurs(row))
    next.owed = payment.dispute_lost ? 0 : row.amount;
  if (next.status !== 'FAILED') next.owed = 0;
  const same = next.status === row.status && next.provider_refund_id === row.provider_refund_id;
  return same ? refunds : refunds.with(index, next);
}

const STATUS = { pending: 'PENDING', succeeded: 'SUCCEEDED', failed: 'FAILED' } as const;

function isOurs({ key, provider_refund_id }: PaymentRefund): boolean {
  return key !== provider_refund_id;
}

/** Adds a refund that was made at the provider itself. */
function withForeign(
  payment: PaymentRecord,
  refunds: PaymentRefund[],
  news: Extract<RefundNews, { kind: 'known' }>,
  now: Date,
): PaymentRefund[] {
  const row: PaymentRefund = {
    key: news.key ?? news.refund_id,
    amount: toMajor(news.amount_minor, payment.currency),
    status: STATUS[news.status],
    to: 'card',
    reason: null,
    provider_refund_id: news.refund_id,
    requested_by: null,
    instead_of: null,
    owed: 0,
    code: null,
    at: now,
  };
  return [...refunds, row];
}
