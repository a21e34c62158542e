import { cardNamed, wantsCustomer } from '../../cards/cards.js';
import {
  AUTHENTICATION_REQUIRED,
  cardRefusal,
  DECLINES,
  isDecline,
  type Decline,
  type Fault,
  type OutcomeName,
} from '../../cards/outcomes.js';
import type {
  CardRefusal,
  ChargeRecord,
  PaymentIntentRecord,
  PaymentMethodRecord,
} from '../../ledger/records.js';
import type { Transaction } from '../../ledger/transaction.js';
import { decide, faultOf } from '../control/behaviour.js';
import { schedule } from '../control/tasks.js';

export interface Attempt {
  readonly intent: PaymentIntentRecord;
  readonly method: PaymentMethodRecord;
  /** The customer is not there to authenticate. */
  readonly offSession: boolean;
  /** Needing the customer counts as a refusal. */
  readonly refuseAction: boolean;
  /** Tells this attempt from others where no Idempotency-Key does. */
  readonly operation: string;
  /** How long what is late takes, in milliseconds. */
  readonly settleAfterMs: number;
}

/** The intent after an attempt, the refusal if there was one, and the fault of the answer. */
export interface Verdict {
  readonly intent: PaymentIntentRecord;
  readonly refusal?: CardRefusal;
  readonly fault?: Fault;
}

/** Charges the intent's amount to the card, or asks for the customer, or refuses. */
export function attemptCharge(tx: Transaction, attempt: Attempt): Verdict {
  const { intent, method, offSession } = attempt;
  const card = cardNamed(method.card);
  const { name, scripted } = decide<OutcomeName>(tx, {
    script: 'next',
    customer: intent.customer,
    otherwise: card.outcome,
    operation: attempt.operation,
  });
  const wanted = scripted
    ? name === 'authentication_required'
    : wantsCustomer(card, { offSession, setUp: method.set_up });
  if (wanted || (intent.challenge && !offSession)) return askForCustomer(tx, attempt, scripted);
  return charge(tx, attempt, name, false);
}

/** Goes on where the customer has approved: they are not asked again, and scripts are not used up by it. */
export function chargeApproved(tx: Transaction, attempt: Attempt): Verdict {
  return charge(tx, attempt, cardNamed(attempt.method.card).outcome, true);
}

function askForCustomer(tx: Transaction, attempt: Attempt, scripted: boolean): Verdict {
  if (attempt.offSession || attempt.refuseAction) {
    return decline(tx, attempt, AUTHENTICATION_REQUIRED, scripted);
  }
  const intent = tx.save<PaymentIntentRecord>({
    ...attempt.intent,
    status: 'requires_action',
    payment_method: attempt.method.id,
    error: null,
  });
  tx.tell('payment_intent.requires_action', intent);
  return { intent };
}

function charge(tx: Transaction, attempt: Attempt, name: OutcomeName, authenticated: boolean): Verdict {
  if (isDecline(name)) return decline(tx, attempt, DECLINES[name], false);
  if (name === 'late_success' || name === 'late_failure') {
    return chargeLater(tx, attempt, name === 'late_success', authenticated);
  }
  const fault = faultOf(tx, name);
  const made = makeCharge(tx, attempt, { status: 'succeeded', authenticated, failure: null });
  const stale = name === 'stale_failure_notice';
  const failed = stale ? tx.save(refusedIntent(attempt, DECLINES.processing_error, made.id)) : undefined;
  const intent = tx.save<PaymentIntentRecord>({
    ...attempt.intent,
    status: 'succeeded',
    payment_method: made.payment_method,
    latest_charge: made.id,
    error: null,
    challenge: false,
  });
  keepMethod(tx, attempt.method, intent, authenticated);
  tx.tell('charge.succeeded', made);
  tx.tell('payment_intent.succeeded', intent);
  if (failed !== undefined) tx.tell('payment_intent.payment_failed', failed, attempt.settleAfterMs);
  const { dispute, inquiry } = cardNamed(made.card);
  const reason = dispute ?? inquiry;
  if (reason !== undefined) {
    const task = { do: 'open_dispute', charge: made.id, reason, inquiry: inquiry !== undefined } as const;
    schedule(tx, attempt.settleAfterMs, task);
  }
  return { intent, fault };
}

function chargeLater(tx: Transaction, attempt: Attempt, succeed: boolean, authenticated: boolean): Verdict {
  const made = makeCharge(tx, attempt, { status: 'pending', authenticated, failure: null });
  const intent = tx.save<PaymentIntentRecord>({
    ...attempt.intent,
    status: 'processing',
    payment_method: attempt.method.id,
    latest_charge: made.id,
    error: null,
  });
  keepMethod(tx, attempt.method, intent, authenticated);
  tx.tell('charge.pending', made);
  tx.tell('payment_intent.processing', intent);
  schedule(tx, attempt.settleAfterMs, { do: 'settle_payment', payment_intent: intent.id, succeed });
  return { intent };
}

function decline(tx: Transaction, attempt: Attempt, why: Decline, challenge: boolean): Verdict {
  const made = makeCharge(tx, attempt, { status: 'failed', authenticated: false, failure: why });
  const refused = {
    ...refusedIntent(attempt, why, made.id),
    challenge: challenge || attempt.intent.challenge,
  };
  const intent = tx.save(refused);
  tx.tell('charge.failed', made);
  tx.tell('payment_intent.payment_failed', intent);
  return { intent, refusal: intent.error ?? undefined };
}

/** A refused intent lets go of the payment method; it still stands in the error. */
function refusedIntent({ intent, method }: Attempt, why: Decline, made: string): PaymentIntentRecord {
  return {
    ...intent,
    status: 'requires_payment_method',
    payment_method: null,
    latest_charge: made,
    error: cardRefusal(why, method.id, made),
  };
}

type Made = Pick<ChargeRecord, 'status' | 'authenticated' | 'failure'>;

function makeCharge(tx: Transaction, { intent, method }: Attempt, made: Made) {
  const { id: payment_intent, amount, currency, customer, description, receipt_email, metadata } = intent;
  const { id: payment_method, card, exp_month, exp_year } = method;
  const money = {
    payment_intent,
    amount,
    amount_refunded: 0,
    currency,
    customer,
    description,
    receipt_email,
  };
  const cardInUse = { payment_method, card, exp_month, exp_year };
  return tx.create({ kind: 'charge', ...made, ...money, ...cardInUse, disputed: false, metadata });
}

/** A card that is to be used again is attached to the customer; one that belongs to nobody is used up. */
function keepMethod(
  tx: Transaction,
  method: PaymentMethodRecord,
  { customer, setup_future_usage }: PaymentIntentRecord,
  authenticated: boolean,
): void {
  if (customer !== null && setup_future_usage !== null) {
    const set_up = method.set_up || (authenticated && setup_future_usage === 'off_session');
    if (method.customer === customer && method.set_up === set_up) return;
    const kept = tx.save({ ...method, customer, set_up });
    if (method.customer === null) tx.tell('payment_method.attached', kept);
  } else if (method.customer === null) {
    tx.save({ ...method, spent: true });
  }
}
