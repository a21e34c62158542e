import { cardRefusal, DECLINES } from '../../cards/outcomes.js';
import type { Ledger } from '../../ledger/ledger.js';
import type { TaskAction } from '../../ledger/records.js';
import { Transaction } from '../../ledger/transaction.js';

/** Schedules work that the sandbox does by itself `afterMs` from now. */
export function schedule(tx: Transaction, afterMs: number, action: TaskAction): void {
  tx.create({ kind: 'task', due: tx.origin.now + afterMs, action });
}

/** Does a task, due or not, in a transaction of its own; false where it was done already. */
export function doTask(ledger: Ledger, id: string, now: number): boolean {
  const task = ledger.get('task', id);
  if (task === undefined) return false;
  const tx = new Transaction(ledger, { account: task.account, request: null, key: null, now });
  tx.remove(task);
  act(tx, task.action);
  tx.commit();
  return true;
}

function act(tx: Transaction, action: TaskAction): void {
  if (action.do === 'settle_payment') settlePayment(tx, action.payment_intent, action.succeed);
  else if (action.do === 'settle_refund') settleRefund(tx, action.refund, action.succeed);
  else openDispute(tx, action);
}

function settlePayment(tx: Transaction, id: string, succeed: boolean): void {
  const intent = tx.get('payment_intent', id);
  const charge = tx.get('charge', intent?.latest_charge ?? '');
  if (intent?.status !== 'processing' || charge === undefined) return;
  if (succeed) {
    tx.tell('charge.succeeded', tx.save({ ...charge, status: 'succeeded' }));
    tx.tell('payment_intent.succeeded', tx.save({ ...intent, status: 'succeeded' }));
    return;
  }
  const failure = DECLINES.generic_decline;
  const error = cardRefusal(failure, charge.payment_method, charge.id);
  const refused = { ...intent, status: 'requires_payment_method', payment_method: null, error } as const;
  tx.tell('charge.failed', tx.save({ ...charge, status: 'failed', failure }));
  tx.tell('payment_intent.payment_failed', tx.save(refused));
}

function settleRefund(tx: Transaction, id: string, succeed: boolean): void {
  const refund = tx.get('refund', id);
  const charge = tx.get('charge', refund?.charge ?? '');
  if (refund === undefined || charge === undefined) return;
  if (succeed) {
    const done = tx.save({ ...refund, status: 'succeeded' });
    tx.tell('refund.updated', done);
    tx.tell('charge.refund.updated', done);
    return;
  }
  const failed = tx.save({ ...refund, status: 'failed', failure_reason: 'expired_or_canceled_card' });
  tx.tell('refund.failed', failed);
  tx.tell('refund.updated', failed);
  // The money has come back: it can be refunded again.
  const amount_refunded = charge.amount_refunded - refund.amount;
  tx.tell('charge.updated', tx.save({ ...charge, amount_refunded }));
}

function openDispute(tx: Transaction, action: TaskAction & { do: 'open_dispute' }): void {
  const charge = tx.get('charge', action.charge);
  if (charge?.status !== 'succeeded' || charge.disputed) return;
  // A customer who was refunded can still go to the bank.
  const kept = charge.amount - charge.amount_refunded;
  const dispute = tx.create({
    kind: 'dispute',
    status: action.inquiry ? 'warning_needs_response' : 'needs_response',
    amount: kept === 0 ? charge.amount : kept,
    currency: charge.currency,
    charge: charge.id,
    payment_intent: charge.payment_intent,
    reason: action.reason,
    metadata: {},
  });
  tx.tell('charge.dispute.created', dispute);
  tx.tell('charge.updated', tx.save({ ...charge, disputed: true }));
}
