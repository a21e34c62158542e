import type { EventKind } from '@commerce/kernel';
import { newId } from '@commerce/records';

/** The status of the payment in events of an unfinished payment. */
const STATUSES: Partial<Record<EventKind, string>> = {
  'payment.processing': 'PROCESSING',
  'payment.requires_auth': 'REQUIRES_AUTH',
  'payment.updated': 'FAILED',
  'payment.failed': 'FAILED',
  'payment.succeeded': 'SUCCEEDED',
};

/** A period of a subscription that is charged to a card; `payment.updated` and `payment.failed` show that the card was declined. */
export function samplePayment(kind: EventKind, now: Date): object {
  const status = STATUSES[kind] ?? 'CREATED';
  const payment_method = newId();
  const declined = status === 'FAILED';
  const attempt = {
    number: 1,
    at: now,
    payment_method,
    status: status === 'CREATED' ? 'PROCESSING' : status,
    code: declined ? 'card_declined' : null,
    message: declined ? 'Your card was declined.' : null,
    decline: declined ? 'soft' : null,
  };
  const intent = status === 'CREATED' ? null : 'pi_sample';
  const secret = status === 'REQUIRES_AUTH' ? { intent_client_secret: 'pi_sample_secret_sample' } : {};
  return {
    subscription: newId(),
    kind: 'period',
    status,
    amount: 10,
    period_start: now,
    period_end: new Date(now.getTime() + 30 * 86_400_000),
    payment_method,
    attempts: status === 'CREATED' ? [] : [attempt],
    metadata: { payment_intent_id: intent, payment_method_id: 'pm_sample', ...secret },
    provider: {
      name: 'stripe',
      intent_id: intent,
      charge_id: status === 'SUCCEEDED' ? 'ch_sample' : null,
    },
    pay_url: status === 'REQUIRES_AUTH' ? 'https://pay.example.com/pay/sample' : null,
  };
}
