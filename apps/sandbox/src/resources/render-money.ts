import { cardNamed } from '../cards/cards.js';
import type { Body } from '../http/call.js';
import type { ChargeRecord, DisputeRecord, RefundRecord } from '../ledger/records.js';

export function renderCharge(record: ChargeRecord, billing_details: Body): Body {
  const succeeded = record.status === 'succeeded';
  return {
    id: record.id,
    object: 'charge',
    amount: record.amount,
    amount_captured: succeeded ? record.amount : 0,
    amount_refunded: record.amount_refunded,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: null,
    billing_details,
    calculated_statement_descriptor: 'SANDBOX',
    captured: succeeded,
    created: record.created,
    currency: record.currency,
    customer: record.customer,
    description: record.description,
    disputed: record.disputed,
    failure_balance_transaction: null,
    failure_code: record.failure?.code ?? null,
    failure_message: record.failure?.message ?? null,
    fraud_details: {},
    livemode: false,
    metadata: record.metadata,
    on_behalf_of: null,
    outcome: outcome(record),
    paid: succeeded,
    payment_intent: record.payment_intent,
    payment_method: record.payment_method,
    payment_method_details: methodDetails(record),
    receipt_email: record.receipt_email,
    receipt_number: null,
    receipt_url: null,
    refunded: succeeded && record.amount_refunded === record.amount,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: record.status,
    transfer_data: null,
    transfer_group: null,
  };
}

function outcome({ status, failure }: ChargeRecord): Body {
  const declined = status === 'failed';
  return {
    advice_code: failure?.advice_code ?? null,
    network_advice_code: null,
    network_decline_code: null,
    network_status: declined ? 'declined_by_network' : 'approved_by_network',
    reason: failure === null ? null : (failure.decline_code ?? failure.code),
    risk_level: 'normal',
    seller_message: failure?.message ?? 'The payment went through.',
    type: declined ? 'issuer_declined' : 'authorized',
  };
}

function methodDetails({ card: name, exp_month, exp_year, authenticated, amount }: ChargeRecord): Body {
  const card = cardNamed(name);
  const face = {
    amount_authorized: amount,
    brand: card.brand,
    country: card.country,
    exp_month,
    exp_year,
    fingerprint: `sandbox${card.number.slice(-9)}`,
    funding: card.funding,
    last4: card.number.slice(-4),
    network: card.brand,
    three_d_secure: authenticated
      ? { authentication_flow: 'challenge', result: 'authenticated', result_reason: null, version: '2.2.0' }
      : null,
    wallet: null,
  };
  return { card: face, type: 'card' };
}

export function renderRefund(record: RefundRecord): Body {
  return {
    id: record.id,
    object: 'refund',
    amount: record.amount,
    balance_transaction: null,
    charge: record.charge,
    created: record.created,
    currency: record.currency,
    customer_account: null,
    destination_details: {
      card: { reference_status: 'pending', reference_type: 'acquirer_reference_number', type: 'refund' },
      type: 'card',
    },
    failure_reason: record.failure_reason ?? undefined,
    metadata: record.metadata,
    payment_intent: record.payment_intent,
    reason: record.reason,
    receipt_number: null,
    source_transfer_reversal: null,
    status: record.status,
    transfer_reversal: null,
  };
}

export function renderDispute(record: DisputeRecord): Body {
  return {
    id: record.id,
    object: 'dispute',
    amount: record.amount,
    balance_transactions: [],
    charge: record.charge,
    created: record.created,
    currency: record.currency,
    enhanced_eligibility_types: [],
    evidence: {},
    evidence_details: {
      due_by: record.created + 7 * 86_400,
      has_evidence: false,
      past_due: false,
      submission_count: 0,
    },
    intended_submission_method: null,
    is_charge_refundable: record.status.startsWith('warning'),
    livemode: false,
    metadata: record.metadata,
    network_reason_code: null,
    payment_intent: record.payment_intent,
    reason: record.reason,
    status: record.status,
  };
}
