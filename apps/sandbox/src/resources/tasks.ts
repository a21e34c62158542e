import type { Ledger } from '../ledger/ledger.js';
import type {
  ChargeRecord,
  PaymentIntentRecord,
  RefundRecord,
  TaskAction,
  TaskRecord,
} from '../ledger/records.js';
import { Transaction } from '../ledger/transaction.js';
import { cardRefusal, DECLINES } from '../cards/outcomes.js';

/** Has something happen by itself `afterMs` from now. */
export function schedule(tx: Transaction, afterMs: number, action: TaskAction): void {
  tx.create({ kind: 'task', due: tx.origin.now + afterMs, done: false, action });
}

/** Does a task, whether it is due or not, in a transaction of its own; one that was done already does nothing. */
export function doTask(ledger: Ledger, id: string, now: number): boolean {
  const task = ledger.get('task', id);
  if (task === undefined) return false;
  const tx = new Transaction(ledger, { account: task.account, request: null, key: null, now });
  tx.save<TaskRecord>({ ...task, done: true });
  act(tx, task.action);
  tx.commit();
  return true;
}

function act(tx: Transaction, action: TaskAction): void {
  switch (action.do) {
    case 'settle_payment': {
      settlePayment(tx, action.payment_intent, action.succeed);
      return;
    }
    case 'settle_refund': {
      settleRefund(tx, action.refund, action.succeed);
      return;
    }
    case 'open_dispute': {
      openDispute(tx, action);
      return;
    }
  }
}

function settlePayment(tx: Transaction, id: string, succeed: boolean): void {
  const intent = tx.get('payment_intent', id);
  const charge = tx.get('charge', intent?.latest_charge ?? '');
  if (intent?.status !== 'processing' || charge === undefined) return;
  if (succeed) {
    const paid = tx.save<ChargeRecord>({ ...charge, status: 'succeeded' });
    const done = tx.save<PaymentIntentRecord>({ ...intent, status: 'succeeded' });
    tx.tell('charge.succeeded', paid);
    tx.tell('payment_intent.succeeded', done);
    return;
  }
  const failure = DECLINES.generic_decline;
  const failed = tx.save<ChargeRecord>({ ...charge, status: 'failed', failure });
  const refused = tx.save<PaymentIntentRecord>({
    ...intent,
    status: 'requires_payment_method',
    payment_method: null,
    error: cardRefusal(failure, charge.payment_method, charge.id),
  });
  tx.tell('charge.failed', failed);
  tx.tell('payment_intent.payment_failed', refused);
}

function settleRefund(tx: Transaction, id: string, succeed: boolean): void {
  const refund = tx.get('refund', id);
  const charge = tx.get('charge', refund?.charge ?? '');
  if (refund === undefined || charge === undefined) return;
  if (succeed) {
    const done = tx.save<RefundRecord>({ ...refund, status: 'succeeded' });
    tx.tell('refund.updated', done);
    tx.tell('charge.refund.updated', done);
    return;
  }
  const failed = tx.save<RefundRecord>({
    ...refund,
    status: 'failed',
    failure_reason: 'expired_or_canceled_card',
  });
  // The money has come back: it can be refunded again.
  const restored = tx.save({ ...charge, amount_refunded: charge.amount_refunded - refund.amount });
  tx.tell('refund.failed', failed);
  tx.tell('refund.updated', failed);
  tx.tell('charge.updated', restored);
}

function openDispute(
  tx: Transaction,
  { charge: id, reason, inquiry }: TaskAction & { do: 'open_dispute' },
): void {
  const charge = tx.get('charge', id);
  if (charge?.status !== 'succeeded' || charge.disputed) return;
  // A customer who was refunded can still go to the bank.
  const kept = charge.amount - charge.amount_refunded;
  const dispute = tx.create({
    kind: 'dispute',
    status: inquiry ? 'warning_needs_response' : 'needs_response',
    amount: kept === 0 ? charge.amount : kept,
    currency: charge.currency,
    charge: charge.id,
    payment_intent: charge.payment_intent,
    reason,
    metadata: {},
  });
  const disputed = tx.save({ ...charge, disputed: true });
  tx.tell('charge.dispute.created', dispute);
  tx.tell('charge.updated', disputed);
}
