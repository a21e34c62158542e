import { type Card, cardNamed } from '../cards/cards.js';
import type { Body } from '../http/call.js';
import { badParameter } from '../http/refusal.js';
import type * as kept from '../ledger/records.js';
import { renderCharge, renderDispute, renderRefund } from './render-money.js';

/** Finds records for what is shown inside others. */
export interface Lookup {
  get<K extends kept.Kind>(kind: K, id: string): kept.RecordOf[K] | undefined;
}

const NO_ADDRESS = { city: null, country: null, line1: null, line2: null, postal_code: null, state: null };
const NO_BILLING = { address: NO_ADDRESS, email: null, name: null, phone: null, tax_id: null };

export function billingDetails(given: kept.Nested | null): Body {
  if (given === null) return NO_BILLING;
  return { ...NO_BILLING, ...given, address: { ...NO_ADDRESS, ...(given.address ?? {}) } };
}

export function renderCustomer(record: kept.CustomerRecord): Body {
  if (record.deleted) return { id: record.id, object: 'customer', deleted: true };
  return {
    id: record.id,
    object: 'customer',
    address: record.address,
    balance: 0,
    created: record.created,
    currency: null,
    customer_account: null,
    default_source: null,
    delinquent: false,
    description: record.description,
    discount: null,
    email: record.email,
    invoice_prefix: record.id.slice(-8).toUpperCase(),
    invoice_settings: {
      custom_fields: null,
      default_payment_method: record.default_payment_method,
      footer: null,
      rendering_options: null,
    },
    livemode: false,
    metadata: record.metadata,
    name: record.name,
    next_invoice_sequence: 1,
    phone: record.phone,
    preferred_locales: [],
    shipping: record.shipping,
    tax_exempt: 'none',
    test_clock: null,
  };
}

export function renderPaymentMethod(record: kept.PaymentMethodRecord): Body {
  return {
    id: record.id,
    object: 'payment_method',
    allow_redisplay: 'unspecified',
    billing_details: billingDetails(record.billing_details),
    card: cardFace(cardNamed(record.card), record.exp_month, record.exp_year),
    created: record.created,
    customer: record.customer,
    customer_account: null,
    livemode: false,
    metadata: record.metadata,
    type: 'card',
  };
}

function cardFace(card: Card, exp_month: number, exp_year: number): Body {
  return {
    brand: card.brand,
    checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'pass' },
    country: card.country,
    display_brand: card.brand,
    exp_month,
    exp_year,
    fingerprint: `sandbox${card.number.slice(-9)}`,
    funding: card.funding,
    generated_from: null,
    last4: card.number.slice(-4),
    networks: { available: [card.brand], preferred: null },
    regulated_status: 'unregulated',
    three_d_secure_usage: { supported: card.brand !== 'amex' },
    wallet: null,
  };
}

/** A refusal with its whole payment method, as intents and errors show it. */
export function renderRefusal(refusal: kept.CardRefusal, lookup: Lookup): Body {
  const method = lookup.get('payment_method', refusal.payment_method);
  const { type, code, decline_code, advice_code, message, charge } = refusal;
  return {
    advice_code,
    charge,
    code,
    decline_code,
    doc_url: `https://docs.stripe.com/error-codes/${code.replaceAll('_', '-')}`,
    message,
    payment_method: method && renderPaymentMethod(method),
    type,
  };
}

const CARD_OPTIONS = {
  card: { installments: null, mandate_options: null, network: null, request_three_d_secure: 'automatic' },
};

function nextAction(record: kept.PaymentIntentRecord | kept.SetupIntentRecord, origin: string): Body | null {
  if (record.status !== 'requires_action') return null;
  return {
    redirect_to_url: { return_url: record.return_url, url: `${origin}/authenticate/${record.id}` },
    type: 'redirect_to_url',
  };
}

export function renderSetupIntent(record: kept.SetupIntentRecord, lookup: Lookup, origin: string): Body {
  return {
    id: record.id,
    object: 'setup_intent',
    allowed_payment_method_types: record.allowed_types,
    application: null,
    automatic_payment_methods: null,
    cancellation_reason: record.cancellation_reason,
    client_secret: `${record.id}_secret_${record.secret}`,
    created: record.created,
    customer: record.customer,
    customer_account: null,
    description: record.description,
    excluded_payment_method_types: null,
    flow_directions: null,
    last_setup_error: record.error && renderRefusal(record.error, lookup),
    latest_attempt: null,
    livemode: false,
    mandate: null,
    metadata: record.metadata,
    next_action: nextAction(record, origin),
    on_behalf_of: null,
    payment_method: record.payment_method,
    payment_method_configuration_details: null,
    payment_method_options: CARD_OPTIONS,
    payment_method_types: ['card'],
    single_use_mandate: null,
    status: record.status,
    usage: record.usage,
  };
}

export function renderPaymentIntent(record: kept.PaymentIntentRecord, lookup: Lookup, origin: string): Body {
  return {
    id: record.id,
    object: 'payment_intent',
    allowed_payment_method_types: record.allowed_types,
    amount: record.amount,
    amount_capturable: 0,
    amount_details: { tip: {} },
    amount_received: record.status === 'succeeded' ? record.amount : 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: automaticMethods(record),
    canceled_at: record.canceled_at,
    cancellation_reason: record.cancellation_reason,
    capture_method: 'automatic_async',
    client_secret: `${record.id}_secret_${record.secret}`,
    confirmation_method: 'automatic',
    created: record.created,
    currency: record.currency,
    customer: record.customer,
    customer_account: null,
    description: record.description,
    excluded_payment_method_types: null,
    last_payment_error: record.error && renderRefusal(record.error, lookup),
    latest_charge: record.latest_charge,
    livemode: false,
    managed_payments: null,
    metadata: record.metadata,
    next_action: nextAction(record, origin),
    on_behalf_of: null,
    payment_method: record.payment_method,
    payment_method_configuration_details: null,
    payment_method_options: CARD_OPTIONS,
    payment_method_types: ['card'],
    payment_record: null,
    processing: record.status === 'processing' ? { card: {}, type: 'card' } : null,
    receipt_email: record.receipt_email,
    review: null,
    setup_future_usage: record.setup_future_usage,
    shipping: record.shipping,
    source: null,
    statement_descriptor: record.statement_descriptor,
    statement_descriptor_suffix: record.statement_descriptor_suffix,
    status: record.status,
    transfer_data: null,
    transfer_group: null,
  };
}

function automaticMethods({ allow_redirects }: kept.PaymentIntentRecord): Body | null {
  return allow_redirects && { allow_redirects, enabled: true };
}

/** Any record that the API shows. */
export function render(record: kept.AnyRecord, lookup: Lookup, origin: string): Body {
  switch (record.kind) {
    case 'customer':
      return renderCustomer(record);
    case 'payment_method':
      return renderPaymentMethod(record);
    case 'setup_intent':
      return renderSetupIntent(record, lookup, origin);
    case 'payment_intent':
      return renderPaymentIntent(record, lookup, origin);
    case 'charge':
      return renderCharge(record, billingDetails(null));
    case 'refund':
      return renderRefund(record);
    case 'dispute':
      return renderDispute(record);
    case 'behaviour':
    case 'fault_mark':
    case 'task':
      throw badParameter('object', `A ${record.kind} is not shown`);
  }
}
