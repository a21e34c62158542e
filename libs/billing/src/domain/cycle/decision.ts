import type { EventKind } from '@commerce/kernel';
import type { Breakdown } from '../pricing/breakdown.js';
import type { ChargeKind, PaymentKey, StateChanges } from '../lifecycle/subscription-state.js';

/** A payment to be opened. It and the changes go into one commit. */
export interface Charge {
  readonly kind: ChargeKind;
  readonly slice: string;
  readonly amount_minor: number;
  readonly period_start: Date;
  readonly period_end: Date;
  readonly breakdown: Breakdown;
  readonly off_session: boolean;
}

/** Money to be given back from a payment; capped at what that payment still holds. */
export interface Refund {
  readonly payment: PaymentKey;
  /** Unique within the payment. */
  readonly key: string;
  readonly amount_minor: number;
  readonly reason: string;
}

/** What a move or an outcome does to the subscription. `event` null: nothing that anyone is told about. */
export interface Transition {
  readonly changes: StateChanges;
  readonly event: EventKind | null;
}

/** What billing has to do next. `changes` always hold the next `due`. */
export type Decision =
  | { readonly do: 'nothing'; readonly due: Date | null }
  | ({ readonly do: 'change' } & Transition)
  | ({ readonly do: 'charge'; readonly charge: Charge } & Transition)
  /** One more attempt of the payment, which the changes show as in flight. */
  | ({ readonly do: 'retry'; readonly payment: PaymentKey } & Transition)
  /** The payment has failed for good. */
  | ({ readonly do: 'abandon'; readonly payment: PaymentKey; readonly code: string } & Transition)
  | ({ readonly do: 'refund'; readonly refund: Refund } & Transition);

/** How a payment of the subscription came out: its key, its attempts so far and what the last one brought. */
export interface ChargeResult extends PaymentKey {
  readonly status: 'SUCCEEDED' | 'FAILED' | 'REQUIRES_AUTH';
  /** Null unless FAILED. */
  readonly decline: 'soft' | 'hard' | null;
  readonly attempts: number;
  readonly amount_minor: number;
}

/** `refund`: money of a payment that had been given up and succeeded after all, when it was no longer owed. */
export interface Settled extends Transition {
  readonly refund: Refund | null;
}
