import { fault, toMajor, toMinor } from '@commerce/kernel';

import type { PaymentRecord, PaymentRefund, PaymentStatus } from './payment.record.js';

/** What the provider says of one refund. `key` is null for one that was made elsewhere. */
export type RefundNews =
  | {
      readonly kind: 'known';
      readonly key: string | null;
      readonly refund_id: string;
      readonly amount_minor: number;
      readonly status: 'pending' | 'succeeded' | 'failed';
    }
  | { readonly kind: 'refused'; readonly key: string; readonly code: string };

type RefundChanges = Pick<PaymentRecord, 'refunds' | 'refunded_amount' | 'status'>;

/** A refund to be. Asking for the same `key` again is the same refund. */
export interface RefundDraft {
  /** Unique within the payment. */
  readonly key: string;
  readonly amount_minor: number;
  readonly reason: string | null;
  /** The credential of the admin who asked for it. */
  readonly requested_by?: string;
}

export function hasPendingRefund(payment: Pick<PaymentRecord, 'refunds'>): boolean {
  return payment.refunds.some(({ status }) => status === 'PENDING');
}

/** Money that a bank holds back until a dispute is decided cannot be given back as well. */
const REFUNDABLE: ReadonlySet<PaymentStatus> = new Set(['SUCCEEDED', 'PARTIALLY_REFUNDED', 'REFUNDED']);

/** What may still be given back, in minor units: what was captured, less what was given back or is on its way. */
export function refundableMinor(payment: PaymentRecord): number {
  if (!REFUNDABLE.has(payment.status)) return 0;
  return toMinor(payment.amount, payment.currency) - sumMinor(payment, ['PENDING', 'SUCCEEDED']);
}

/**
 * Reserves a refund; null when there is one of this key already. `now` is business time.
 * @throws Fault `payment.state_conflict` when nothing was captured; `refund.too_large` when less than that is left
 */
export function reserveRefund(
  payment: PaymentRecord,
  refund: RefundDraft,
  now: Date,
): Pick<PaymentRecord, 'refunds'> | null {
  const { key, amount_minor, reason, requested_by = null } = refund;
  if (payment.refunds.some((one) => one.key === key)) return null;
  if (!REFUNDABLE.has(payment.status)) {
    throw fault('payment.state_conflict', `A payment that is ${payment.status} cannot be refunded`, {
      status: payment.status,
    });
  }
  const left = refundableMinor(payment);
  if (amount_minor > left || amount_minor <= 0) {
    const refundable = toMajor(left, payment.currency);
    throw fault('refund.too_large', `At most ${refundable} ${payment.currency} can be refunded`, {
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
  const amount = toMajor(amount_minor, payment.currency);
  const row: PaymentRefund = {
    key,
    amount,
    status: 'PENDING',
    reason,
    provider_refund_id: null,
    requested_by,
    at: now,
  };
  return { refunds: [...payment.refunds, row] };
}

/** As much of a refund as is left to give back; null where that is nothing. */
export function cappedRefund(payment: PaymentRecord, refund: RefundDraft): RefundDraft | null {
  const amount_minor = Math.min(refund.amount_minor, refundableMinor(payment));
  return amount_minor > 0 ? { ...refund, amount_minor } : null;
}

/**
 * As reserveRefund, with all that the payment needs for the refund to be sent, by the reconciler at `checkAt` if
 * nobody did so before.
 */
export function refundChanges(
  payment: PaymentRecord,
  refund: RefundDraft,
  now: Date,
  checkAt: Date,
): Pick<PaymentRecord, 'refunds' | 'checks' | 'check_at'> | null {
  const reserved = reserveRefund(payment, refund, now);
  return reserved === null ? null : { ...reserved, checks: 0, check_at: checkAt };
}

/**
 * What the provider's news of refunds changes; null when nothing. A refund that the provider accepted may still fail
 * at the customer's bank: then the money is with us again.
 */
export function applyRefunds(
  payment: PaymentRecord,
  news: readonly RefundNews[],
  now: Date,
): RefundChanges | null {
  let refunds = payment.refunds;
  for (const one of news) refunds = withNews(payment, refunds, one, now);
  if (refunds === payment.refunds) return null;
  const status =
    payment.status === 'DISPUTED'
      ? payment.status
      : statusByRefunds(refunds, payment.amount, payment.currency);
  return {
    refunds,
    refunded_amount: toMajor(sumMinor({ ...payment, refunds }, ['SUCCEEDED']), payment.currency),
    status,
  };
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
      ? { ...row, status: 'FAILED' }
      : { ...row, status: STATUS[news.status], provider_refund_id: news.refund_id };
  const same = next.status === row.status && next.provider_refund_id === row.provider_refund_id;
  return same ? refunds : refunds.with(index, next);
}

const STATUS = { pending: 'PENDING', succeeded: 'SUCCEEDED', failed: 'FAILED' } as const;

/** A refund that somebody made at the provider itself. */
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
    reason: null,
    provider_refund_id: news.refund_id,
    requested_by: null,
    at: now,
  };
  return [...refunds, row];
}

/** The status of a collected payment that is not disputed. */
export function statusByRefunds(
  refunds: readonly PaymentRefund[],
  amount: number,
  currency: string,
): PaymentStatus {
  const given = sumMinor({ refunds, currency }, ['SUCCEEDED']);
  if (given === 0) return 'SUCCEEDED';
  return given >= toMinor(amount, currency) ? 'REFUNDED' : 'PARTIALLY_REFUNDED';
}

function sumMinor(
  payment: { readonly refunds: readonly PaymentRefund[]; readonly currency: string },
  statuses: readonly PaymentRefund['status'][],
): number {
  return payment.refunds
    .filter(({ status }) => statuses.includes(status))
    .reduce((sum, { amount }) => sum + toMinor(amount, payment.currency), 0);
}
