import { periodKey, type BillingPeriod, type PaidPart } from './billing-period.js';
import { paymentName, type PaymentKey } from './open-payment.js';
import type { PeriodCharge } from './period-charge.js';
import type { StartedReceivable } from './receivable.js';

/** The rest of a payment that is neither given back nor owed, in minor units. */
export interface RestOf {
  (payment: PaymentKey): number;
  /** The rest that a dispute holds, beside the other: it pays for nothing, and a refund of it is owed until then. */
  readonly heldOf?: (payment: PaymentKey) => number;
}

/** A refund of a payment, capped at the rest of it. */
export interface Refund {
  readonly payment: PaymentKey;
  /** Unique within the payment. */
  readonly key: string;
  readonly amount_minor: number;
  readonly reason: string;
  /** The card that paid, unless it goes to the customer's balance. */
  readonly to?: 'card' | 'balance';
}

/** The debt and the payments that the credits of several periods share. */
export class CreditBooks {
  private readonly rests = new Map<string, number>();

  constructor(
    private debt_minor: number,
    private readonly restOf: RestOf,
  ) {}

  /**
   * Credits the unused part of a period. Debt for it is written off first; then the payments give back what they
   * collected for it and still hold, the newest first, each in one amount. The rest was never paid, or a person has
   * given it back.
   */
  credit(period: BillingPeriod, credit_minor: number): PeriodCredit {
    const forgiven_minor = Math.min(credit_minor, period.owed_minor, this.debt_minor);
    this.debt_minor -= forgiven_minor;
    let wanted = credit_minor - forgiven_minor;
    const given = new Map<string, PaidPart>();
    const kept: PaidPart[] = [];
    for (const part of [...period.paid].reverse()) {
      const key = paymentName(part);
      const rest = this.rests.get(key) ?? this.restOf(part) + this.heldOf(part);
      const amount_minor = Math.max(0, Math.min(wanted, part.amount_minor, rest));
      wanted -= amount_minor;
      this.rests.set(key, rest - amount_minor);
      if (amount_minor < part.amount_minor) {
        kept.unshift({ ...part, amount_minor: part.amount_minor - amount_minor });
      }
      if (amount_minor === 0) continue;
      const more = given.get(key)?.amount_minor ?? 0;
      given.set(key, { kind: part.kind, slice: part.slice, amount_minor: more + amount_minor });
    }
    return { forgiven_minor, given: [...given.values()], kept };
  }

  /** The rest of a payment that a dispute holds. */
  heldOf(payment: PaymentKey): number {
    return this.restOf.heldOf?.(payment) ?? 0;
  }
}

/** The credit of a period. */
export interface PeriodCredit {
  readonly forgiven_minor: number;
  /** Taken from the payments, the newest first. */
  readonly given: readonly PaidPart[];
  /** The amounts collected for the period without those given back; the newest last. */
  readonly kept: readonly PaidPart[];
}

/** The refunds of a pause or stop, and the debt and the period as they leave them: all cuts are settled. */
export interface GivenBack {
  readonly outstanding_amount_minor: number;
  readonly period: BillingPeriod;
  readonly refunds: readonly Refund[];
}

/** Gives back the unused part of a period after a pause or stop. */
export function giveBack(
  { outstanding_amount_minor: outstanding }: StartedReceivable,
  { amount_minor: charge_minor, period: billed }: PeriodCharge,
  before: BillingPeriod,
  why: 'pause' | 'stop',
  restOf: RestOf,
): GivenBack {
  const { forgiven_minor, given, kept } = new CreditBooks(outstanding, restOf).credit(
    before,
    0 - charge_minor,
  );
  const key = `${why}-${periodKey(billed)}-${billed.settled}`;
  return {
    outstanding_amount_minor: outstanding - forgiven_minor,
    period: { ...billed, paid: kept, owed_minor: before.owed_minor - forgiven_minor },
    refunds: given.map(({ kind, slice, amount_minor }) => ({
      payment: { kind, slice },
      ...{ key, amount_minor, reason: why },
    })),
  };
}
