import { randomUUID } from 'node:crypto';
import { Receiver, callProvider, type ProviderReply } from '@commerce/testing';
import Stripe from 'stripe';
import { createSandbox, type SandboxOptions } from '../../apps/sandbox/src/create-sandbox.js';

/** The SDK against a sandbox, with its own account and without retries, which would hide replies. */
export function stripeAt(
  port: number,
  key = `sk_test_${randomUUID().replaceAll('-', '')}`,
  timeout = 5_000,
): Stripe {
  return new Stripe(key, { host: '127.0.0.1', port, protocol: 'http', maxNetworkRetries: 0, timeout });
}

/** Resources that are still open; a failed test leaves them open, and the run would never end. */
const open = new Set<() => Promise<void>>();
afterAll(async () => {
  await Promise.all([...open].map((close) => close()));
});

/** Registers `close` until it is called. */
function closedAtTheEnd(close: () => Promise<void>): () => Promise<void> {
  const once = (): Promise<void> => (open.delete(once) ? close() : Promise.resolve());
  open.add(once);
  return once;
}

export type Sandbox = Awaited<ReturnType<typeof sandboxInProcess>>;

export async function sandboxInProcess(options: SandboxOptions = {}) {
  const key = `sk_test_${randomUUID().replaceAll('-', '')}`;
  const running = await createSandbox({ settleAfterMs: 30, ...options });
  const stripe = stripeAt(running.port, key);
  const raw = (method: string, path: string, fields: Record<string, string> = {}, headers = {}) =>
    callProvider(running.url, method, path, fields, { authorization: `Bearer ${key}`, ...headers });
  return { ...running, key, stripe, raw, close: closedAtTheEnd(() => running.close()) };
}

/** A customer with a card saved for later charges; authenticates when the card requires it. */
export async function savedCard(sandbox: Pick<Sandbox, 'stripe' | 'url'>, card: string) {
  const { stripe } = sandbox;
  const customer = await stripe.customers.create({ name: 'Ada' });
  const setup = await stripe.setupIntents.create({
    customer: customer.id,
    usage: 'off_session',
    allowed_payment_method_types: ['card'],
  });
  const confirmed = await stripe.setupIntents.confirm(setup.id, { payment_method: card });
  if (confirmed.status === 'requires_action') await answerBank(confirmed, 'approve');
  const done = await stripe.setupIntents.retrieve(setup.id);
  expect(done.status).toBe('succeeded');
  return {
    customer: customer.id,
    payment_method: idOf(done.payment_method),
    allowed_payment_method_types: ['card'],
  };
}

/** The id of a reference, expanded or not. */
export const idOf = (value: string | { id: string } | null): string =>
  typeof value === 'object' ? (value?.id ?? '') : value;

/** Sends the customer's answer on the bank's page. */
export async function answerBank(
  intent: Stripe.PaymentIntent | Stripe.SetupIntent,
  outcome: 'approve' | 'decline',
): Promise<ProviderReply> {
  const page = new URL(intent.next_action?.redirect_to_url?.url ?? '');
  return callProvider(page.origin, 'POST', page.pathname, { outcome });
}

/** The error of a rejected promise; fails when it resolves. */
export async function refusalOf(promise: Promise<unknown>): Promise<Stripe.errors.StripeError> {
  const outcome = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(outcome).toBeInstanceOf(Stripe.errors.StripeError);
  return outcome as Stripe.errors.StripeError;
}

export interface Received {
  readonly body: string;
  readonly signature: string;
  readonly event: any;
}

/** Receives notices; `answer` decides the status of each, 200 by default. */
export async function noticeReceiver(answer: (count: number) => number = () => 200) {
  const receiver = await Receiver.start();
  const received: Received[] = [];
  receiver.answers(({ raw, headers, json }, count) => {
    const status = answer(count);
    if (status < 300)
      received.push({ body: raw.toString(), signature: String(headers['stripe-signature']), event: json });
    return status;
  });
  return {
    url: `${receiver.url}/provider_notices/stripe`,
    received,
    attempts: () => receiver.received.length,
    types: () => received.map(({ event }) => String(event.type)),
    close: closedAtTheEnd(() => receiver.stop()),
  };
}
