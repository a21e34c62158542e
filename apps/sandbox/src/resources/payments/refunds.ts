import { cardNamed } from '../../cards/cards.js';
import type { RefundOutcomeName } from '../../cards/outcomes.js';
import { type Call, inPath, named, ok, type Reply, route, type Route, shown } from '../../http/call.js';
import { listRoute } from '../../http/lists.js';
import * as read from '../../http/params.js';
import { wrongState } from '../../http/refusal.js';
import type { ChargeRecord } from '../../ledger/records.js';
import type { Transaction } from '../../ledger/transaction.js';
import { decide, faultOf } from '../control/behaviour.js';
import { schedule } from '../control/tasks.js';
import { render } from '../render.js';
import { amountOf } from './amounts.js';

const REASONS = ['duplicate', 'fraudulent', 'requested_by_customer'] as const;

/** The charge that the request names, by its own id or by its payment intent. */
function chargeOf(call: Call): ChargeRecord {
  const intent = named(call, 'payment_intent');
  const charge =
    intent === undefined ? named(call, 'charge') : call.tx.get('charge', intent.latest_charge ?? '');
  if (charge !== undefined && (intent === undefined || charge.status === 'succeeded')) return charge;
  if (intent === undefined) read.required(call.params, 'charge');
  const message = 'The payment intent has no successful charge to refund';
  throw wrongState('payment_intent_unexpected_state', message, 'payment_intent');
}

/** A dispute that was won, or was only asked about, leaves the money where it is. */
function isInDispute(tx: Transaction, { disputed, payment_intent }: ChargeRecord): boolean {
  if (!disputed) return false;
  const disputes = tx.ledger.list('dispute', payment_intent);
  return disputes.some(({ status }) => status !== 'won' && status !== 'warning_closed');
}

/** All of the charge's money that is left unless an amount is given, and never more than that. */
function amountToRefund({ params, tx }: Call, charge: ChargeRecord): number {
  if (charge.status !== 'succeeded') {
    throw wrongState('charge_not_refundable', `A charge that is ${charge.status} cannot be refunded`);
  }
  if (isInDispute(tx, charge))
    throw wrongState('charge_disputed', 'The charge is disputed and cannot be refunded');
  const left = charge.amount - charge.amount_refunded;
  if (left === 0) throw wrongState('charge_already_refunded', `The charge ${charge.id} is refunded already`);
  const amount = amountOf(params, charge.currency) ?? left;
  if (amount > left) {
    const message = `The refund of ${String(amount)} is more than the ${String(left)} that are left`;
    throw wrongState('amount_too_large', message, 'amount');
  }
  return amount;
}

/** A reply, not an exception: the script of the customer goes on. */
const REFUSED: Reply = {
  status: 400,
  body: {
    error: {
      type: 'invalid_request_error',
      code: 'balance_insufficient',
      message: 'The balance of the account does not cover the refund',
    },
  },
};

function create(call: Call): Reply {
  const { tx, params, context } = call;
  const charge = chargeOf(call);
  const amount = amountToRefund(call, charge);
  const { name } = decide<RefundOutcomeName>(tx, {
    script: 'next_refunds',
    customer: charge.customer,
    otherwise: cardNamed(charge.card).refund,
    operation: `refund ${charge.id} ${charge.amount_refunded}`,
  });
  if (name === 'balance_insufficient') return REFUSED;
  const fault = faultOf(tx, name);
  const refunded = tx.save({ ...charge, amount_refunded: charge.amount_refunded + amount });
  const refund = tx.create({
    kind: 'refund',
    status: name === 'pending' ? 'pending' : 'succeeded',
    amount,
    currency: charge.currency,
    charge: charge.id,
    payment_intent: charge.payment_intent,
    reason: read.choice(params, 'reason', REASONS) ?? null,
    metadata: read.metadata(params),
  });
  if (name === 'pending' || name === 'fail_later') {
    const succeed = name === 'pending';
    schedule(tx, context.settleAfterMs, { do: 'settle_refund', refund: refund.id, succeed });
  }
  tx.tell('refund.created', refund);
  tx.tell('charge.refunded', refunded);
  return ok(render(refund, tx), fault);
}

function update(call: Call): Reply {
  const present = inPath(call, 'refund');
  const refund = call.tx.save({ ...present, metadata: read.metadata(call.params, present.metadata) });
  call.tx.tell('refund.updated', refund);
  return shown(call, refund);
}

export const refundRoutes: readonly Route[] = [
  route('post', '/v1/refunds', 'charge payment_intent amount reason metadata', create),
  listRoute('/v1/refunds', 'refund', ['charge', 'payment_intent']),
  route('get', '/v1/refunds/:id', '', (call) => shown(call, inPath(call, 'refund'))),
  route('post', '/v1/refunds/:id', 'metadata', update),
];
