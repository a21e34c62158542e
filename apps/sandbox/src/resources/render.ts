import { cardNamed } from '../cards/cards.js';
import type * as kept from '../ledger/records.js';
import type { Transaction } from '../ledger/transaction.js';

/** The body of a reply: a rendered record, a list or an error. */
export type Body = Readonly<Record<string, unknown>>;

type Lookup = Pick<Transaction, 'get' | 'ledger'>;

/** Fields that are not shown, or are shown under another name. */
const INTERNAL = new Set(
  (
    'kind account deleted default_payment_method card exp_month exp_year set_up spent secret error allow_redirects ' +
    'challenge authenticated failure seq'
  ).split(' '),
);

/** A record as the API shows it. Fields that would always be null here are left out. */
export function render(record: kept.AnyRecord, lookup: Lookup): Body {
  const { id, kind: object } = record;
  if (record.kind === 'customer' && record.deleted) return { id, object, deleted: true };
  const own = Object.entries(record).filter(([name]) => !INTERNAL.has(name));
  return { object, livemode: false, ...Object.fromEntries(own), ...derived(record, lookup) };
}

function derived(record: kept.AnyRecord, lookup: Lookup): Body {
  switch (record.kind) {
    case 'customer':
      return { invoice_settings: { default_payment_method: record.default_payment_method } };
    case 'payment_method':
      return { type: 'card', card: cardFace(record), billing_details: record.billing_details ?? {} };
    case 'setup_intent':
      return { ...ofIntent(record, lookup), last_setup_error: refusal(record.error, lookup) };
    case 'payment_intent':
      return {
        ...ofIntent(record, lookup),
        amount_received: record.status === 'succeeded' ? record.amount : 0,
        automatic_payment_methods: record.allow_redirects && {
          allow_redirects: record.allow_redirects,
          enabled: true,
        },
        capture_method: 'automatic_async',
        confirmation_method: 'automatic',
        last_payment_error: refusal(record.error, lookup),
      };
    case 'charge':
      return ofCharge(record);
    case 'dispute':
      return { evidence: {}, is_charge_refundable: record.status.startsWith('warning') };
    case 'refund':
    case 'behaviour':
    case 'fault_mark':
    case 'task':
      return {};
  }
}

function ofIntent(record: kept.PaymentIntentRecord | kept.SetupIntentRecord, { ledger }: Lookup): Body {
  const { id, secret, status, return_url } = record;
  const redirect_to_url = { return_url, url: `${ledger.url}/authenticate/${id}` };
  return {
    client_secret: `${id}_secret_${secret}`,
    next_action: status === 'requires_action' ? { redirect_to_url, type: 'redirect_to_url' } : null,
    payment_method_types: ['card'],
  };
}

function ofCharge(record: kept.ChargeRecord): Body {
  const { status, failure, amount, amount_refunded } = record;
  const [paid, declined] = [status === 'succeeded', status === 'failed'];
  return {
    amount_captured: paid ? amount : 0,
    captured: paid,
    paid,
    refunded: paid && amount_refunded === amount,
    failure_code: failure?.code ?? null,
    failure_message: failure?.message ?? null,
    outcome: {
      advice_code: failure?.advice_code ?? null,
      network_status: declined ? 'declined_by_network' : 'approved_by_network',
      reason: failure?.decline_code ?? failure?.code ?? null,
      seller_message: failure?.message ?? 'The payment went through.',
      type: declined ? 'issuer_declined' : 'authorized',
    },
    payment_method_details: { type: 'card', card: cardFace(record) },
  };
}

function cardFace({ card: name, exp_month, exp_year }: kept.CardInUse): Body {
  const { brand, country, funding, number } = cardNamed(name);
  const fingerprint = `sandbox${number.slice(-9)}`;
  return { brand, country, exp_month, exp_year, fingerprint, funding, last4: number.slice(-4) };
}

/** A refusal with its whole payment method, as intents and errors show it. */
export function refusal(error: kept.CardRefusal | null, lookup: Lookup): Body | null {
  if (error === null) return null;
  const method = lookup.get('payment_method', error.payment_method);
  return { ...error, payment_method: method && render(method, lookup) };
}
