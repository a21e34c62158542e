import { randomBytes } from 'node:crypto';

import type { EventKind } from '@commerce/kernel';

type Sample = Readonly<Record<string, unknown>>;

/**
 * An object as events of this kind show it, with made-up values in the event dialect. Its id is new each time.
 * @param noun the part of the kind before the point
 */
export function sampleObject(
  kind: EventKind,
  company: string,
  now: Date,
): { noun: string; id: string; object: Sample } {
  const noun = kind.slice(0, kind.indexOf('.'));
  const id = madeUpId();
  const at = now.getTime();
  const base = { _id: id, company };
  const dates = { created: at, updated: at };
  const deleted = kind.endsWith('.deleted');
  switch (noun) {
    case 'user':
      return { noun, id, object: { ...base, _cls: 'User', ...USER, deleted, ...dates } };
    case 'order':
      return { noun, id, object: { ...base, _cls: 'Order', ...order(kind), deleted, ...dates } };
    case 'payment':
      return { noun, id, object: { ...base, _cls: 'Payment', ...payment(kind, at), ...dates } };
    default:
      return {
        noun,
        id,
        object: { ...base, _cls: 'Subscription', ...subscription(kind, at), deleted, ...dates },
      };
  }
}

function madeUpId(): string {
  return randomBytes(12).toString('hex');
}

const DAY_MS = 86_400_000;

const USER = {
  human_id: 'SAMPLE',
  name: 'Sample Customer',
  email: 'sample@example.com',
  external_reference: null,
  timezone: 'Europe/Berlin',
  metadata: null,
};

function order(kind: EventKind): Sample {
  return {
    human_id: 'SAMPLE',
    user: madeUpId(),
    status: kind === 'order.cancelled' ? 'CANCELLED' : 'PENDING_PAYMENT',
    items: [{ product: madeUpId(), quantity: 1, sub_products: [] }],
    amount: 10,
    currency: 'EUR',
    note: null,
  };
}

const SUBSCRIPTION_STATUS: Readonly<Record<string, string>> = {
  'subscription.created': 'CREATED',
  'subscription.future': 'FUTURE',
  'subscription.completed': 'COMPLETED',
  'subscription.non_renewing': 'NON_RENEWING',
  'subscription.cancelled': 'CANCELLED',
};

function subscription(kind: EventKind, at: number): Sample {
  const status = SUBSCRIPTION_STATUS[kind] ?? 'ACTIVE';
  const runs = status === 'ACTIVE' || status === 'NON_RENEWING';
  return {
    user: madeUpId(),
    plan: madeUpId(),
    payment_method: madeUpId(),
    name: 'Sample subscription',
    method: 'basic',
    human_id: 'SAMPLE',
    note: null,
    status,
    active: runs,
    starting_date: at,
    ending_date: null,
    infinite: true,
    interval_total: null,
    current_billing_date_period_start: runs ? at : null,
    current_billing_date_period_end: runs ? at + 30 * DAY_MS : null,
    prorate_amount: 0,
    payments: [],
  };
}

const PAYMENT_STATUS: Readonly<Record<string, string>> = {
  'payment.created': 'CREATED',
  'payment.updated': 'FAILED',
  'payment.succeeded': 'SUCCEEDED',
  'payment.requires_auth': 'REQUIRES_AUTH',
};

function payment(kind: EventKind, at: number): Sample {
  return {
    user: madeUpId(),
    subscription: madeUpId(),
    order: null,
    kind: 'period',
    status: PAYMENT_STATUS[kind] ?? 'PROCESSING',
    amount: 10,
    currency: 'EUR',
    period_start: at,
    period_end: at + 30 * DAY_MS,
    payment_method: madeUpId(),
    attempts: [],
    refunded_amount: 0,
    refunds: [],
    metadata:
      kind === 'payment.requires_auth'
        ? {
            payment_intent_id: 'pi_sample',
            intent_client_secret: 'pi_sample_secret_sample',
            payment_method_id: 'pm_sample',
          }
        : { payment_intent_id: 'pi_sample', payment_method_id: 'pm_sample' },
  };
}
