import { cardNamed } from '../cards/cards.js';
import type { RefundOutcomeName } from '../cards/outcomes.js';
import { type Call, ok, type Reply, route, type Route, type Settings } from '../http/call.js';
import { LIST_PARAMS, page } from '../http/lists.js';
import * as read from '../http/params.js';
import { badParameter, missingInParameter, missingInPath, wrongState } from '../http/refusal.js';
import type { ChargeRecord, RefundRecord } from '../ledger/records.js';
import type { Transaction } from '../ledger/transaction.js';
import { amountOf } from './amounts.js';
import { decide, faultOf } from './behaviour.js';
import { scopeOf } from './charges.js';
import { renderRefund } from './render-money.js';
import { schedule } from './tasks.js';

const REASONS = ['duplicate', 'fraudulent', 'requested_by_customer'] as const;

/** The charge that is named, or the one of the payment intent that is. */
function chargeOf({ tx, params }: Call): ChargeRecord {
  const intentId = read.filled(params, 'payment_intent');
  if (intentId === undefined) {
    const id = read.required(params, 'charge');
    const charge = tx.get('charge', id);
    if (charge === undefined) throw missingInParameter('charge', id, 'charge');
    return charge;
  }
  const intent = tx.get('payment_intent', intentId);
  if (intent === undefined) throw missingInParameter('payment_intent', intentId, 'payment_intent');
  const charge = tx.get('charge', intent.latest_charge ?? '');
  if (charge === undefined || charge.status !== 'succeeded') {
    throw wrongState(
      'payment_intent_unexpected_state',
      'The payment intent has no successful charge to refund',
      {
        param: 'payment_intent',
      },
    );
  }
  return charge;
}

/** A dispute that was won, or was only asked about, leaves the money where it is. */
function isInDispute(tx: Transaction, { disputed, payment_intent }: ChargeRecord): boolean {
  if (!disputed) return false;
  const disputes = tx.ledger.list('dispute', payment_intent);
  return disputes.some(({ id }) => !/^(won|warning_closed)$/.test(tx.get('dispute', id)?.status ?? ''));
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
    throw wrongState('amount_too_large', `The refund of ${amount} is more than the ${left} that are left`, {
      param: 'amount',
    });
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

function create(call: Call, settings: Settings): Reply {
  const { tx, params } = call;
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
    failure_reason: null,
    metadata: read.metadata(params),
  });
  if (name === 'pending' || name === 'fail_later') {
    schedule(tx, settings.settleAfterMs, {
      do: 'settle_refund',
      refund: refund.id,
      succeed: name === 'pending',
    });
  }
  tx.tell('refund.created', refund);
  tx.tell('charge.refunded', refunded);
  return ok(renderRefund(refund), fault);
}

function inPath({ tx, path }: Call): RefundRecord {
  const id = path.id ?? '';
  const refund = tx.get('refund', id);
  if (refund === undefined) throw missingInPath('refund', id, 'refund');
  return refund;
}

function update(call: Call): Reply {
  const present = inPath(call);
  const refund = call.tx.save({ ...present, metadata: read.metadata(call.params, present.metadata) });
  call.tx.tell('refund.updated', refund);
  return ok(renderRefund(refund));
}

function list(call: Call): Reply {
  const scope = scopeOf(call, ['charge', 'payment_intent']);
  return ok(page(call, { url: '/v1/refunds', kind: 'refund', scope, render: renderRefund }));
}

function cancel(): never {
  throw badParameter('id', 'Refunds to cards cannot be canceled here');
}

export const refundRoutes = (settings: Settings): readonly Route[] => [
  route(
    'post',
    '/v1/refunds',
    'charge payment_intent amount reason metadata refund_application_fee reverse_transfer',
    (call) => create(call, settings),
  ),
  route('get', '/v1/refunds', `charge payment_intent ${LIST_PARAMS}`, list),
  route('get', '/v1/refunds/:id', '', (call) => ok(renderRefund(inPath(call)))),
  route('post', '/v1/refunds/:id', 'metadata', update),
  route('post', '/v1/refunds/:id/cancel', '', cancel),
];
