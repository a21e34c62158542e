import Stripe from 'stripe';

import { declineOf } from './declines.js';
import { readWebhook } from './stripe-webhooks.js';
import { factsOf, disputeOf, outcomeOfError, outcomeOfIntent } from './stripe-truth.js';

const intent = (change: object): Stripe.PaymentIntent =>
  ({
    id: 'pi_1',
    object: 'payment_intent',
    client_secret: 'pi_1_secret_x',
    latest_charge: 'ch_1',
    last_payment_error: null,
    metadata: {},
    ...change,
  }) as unknown as Stripe.PaymentIntent;

const error = (raw: object): unknown => Stripe.errors.StripeError.generate(raw);

const outcome = (raw: object): object => outcomeOfError(error(raw)).outcome;

describe('the state of an intent', () => {
  it.each([
    ['succeeded', { kind: 'succeeded', intent_id: 'pi_1', charge_id: 'ch_1' }],
    ['processing', { kind: 'processing', intent_id: 'pi_1' }],
    ['requires_action', { kind: 'requires_auth', intent_id: 'pi_1', client_secret: 'pi_1_secret_x' }],
  ])('%s', (status, expected) => {
    expect(outcomeOfIntent(intent({ status }))).toEqual(expected);
  });

  it('canceled is a failure that no card can fix', () => {
    expect(outcomeOfIntent(intent({ status: 'canceled' }))).toMatchObject({
      kind: 'failed',
      decline: 'hard',
    });
  });

  it('requires_payment_method states its reason in its last error', () => {
    const status = 'requires_payment_method';
    const declined = { code: 'card_declined', decline_code: 'lost_card', message: 'no' };
    expect(outcomeOfIntent(intent({ status, last_payment_error: declined }))).toMatchObject({
      kind: 'failed',
      code: 'lost_card',
      decline: 'hard',
    });
    const wanted = { code: 'authentication_required', decline_code: 'authentication_required' };
    expect(outcomeOfIntent(intent({ status, last_payment_error: wanted })).kind).toBe('requires_auth');
    expect(outcomeOfIntent(intent({ status })).kind).toBe('unknown');
  });

  it.each(['requires_confirmation', 'requires_capture', 'something_new'])(
    '%s is nothing to rely on',
    (status) => {
      expect(outcomeOfIntent(intent({ status })).kind).toBe('unknown');
    },
  );
});

describe('an error of a charge', () => {
  const card = (more: object): object => ({ statusCode: 402, type: 'card_error', message: 'no', ...more });

  it.each([
    ['insufficient_funds', 'soft'],
    ['generic_decline', 'soft'],
    ['do_not_honor', 'soft'],
    ['stolen_card', 'hard'],
    ['lost_card', 'hard'],
    ['invalid_account', 'hard'],
    ['a_code_of_tomorrow', 'soft'],
  ])('%s is a %s decline', (decline_code, decline) => {
    const raw = card({ code: 'card_declined', decline_code, payment_intent: intent({}) });
    expect(outcome(raw)).toEqual({
      kind: 'failed',
      decline,
      code: decline_code,
      message: 'no',
      intent_id: 'pi_1',
    });
  });

  it('follows the advice of the network', () => {
    expect(declineOf('generic_decline', 'do_not_try_again')).toBe('hard');
    expect(declineOf('lost_card', 'try_again_later')).toBe('soft');
  });

  it('authentication_required waits for the customer', () => {
    expect(outcome(card({ code: 'authentication_required', payment_intent: intent({}) }))).toEqual({
      kind: 'requires_auth',
      intent_id: 'pi_1',
      client_secret: 'pi_1_secret_x',
    });
  });

  it.each([
    [409, 'idempotency_key_in_use'],
    [409, 'lock_timeout'],
    [429, 'rate_limit'],
    [500, undefined],
    [502, undefined],
    [503, undefined],
  ])('%i is unknown, never a failure', (statusCode, code) => {
    expect(outcome({ statusCode, code, type: 'api_error', message: 'x' }).valueOf()).toMatchObject({
      kind: 'unknown',
    });
  });

  it('a lost connection is unknown', () => {
    const lost = new Stripe.errors.StripeConnectionError({ message: 'timeout' });
    expect(outcomeOfError(lost)).toMatchObject({ outcome: { kind: 'unknown' }, serious: false });
  });

  it('a wrong key of ours is unknown too, and loud: no customer is to blame', () => {
    const answer = outcomeOfError(error({ statusCode: 401, type: 'invalid_request_error', message: 'x' }));
    expect(answer).toMatchObject({ outcome: { kind: 'unknown' }, serious: true });
  });

  it('an amount that is too small is a fault neither of the card nor of ours', () => {
    const raw = { statusCode: 400, type: 'invalid_request_error', code: 'amount_too_small', message: 'x' };
    expect(outcomeOfError(error(raw))).toMatchObject({
      outcome: { kind: 'failed', code: 'amount.below_minimum', decline: 'hard', intent_id: null },
      serious: false,
    });
  });

  it('a key with other parameters is a loud failure', () => {
    const answer = outcomeOfError(error({ statusCode: 400, type: 'idempotency_error', message: 'x' }));
    expect(answer).toMatchObject({ outcome: { kind: 'failed', code: 'provider.key_reused' }, serious: true });
  });

  it('an invalid request is a loud failure', () => {
    const raw = {
      statusCode: 400,
      type: 'invalid_request_error',
      code: 'parameter_invalid_integer',
      message: 'x',
    };
    expect(outcomeOfError(error(raw))).toMatchObject({
      outcome: { kind: 'failed', code: 'parameter_invalid_integer', decline: 'hard' },
      serious: true,
    });
  });

  it('a state that forbids the request is answered by that state', () => {
    const raw = {
      statusCode: 400,
      type: 'invalid_request_error',
      code: 'payment_intent_unexpected_state',
      message: 'x',
      payment_intent: intent({ status: 'succeeded' }),
    };
    expect(outcome(raw)).toMatchObject({ kind: 'succeeded', charge_id: 'ch_1' });
  });

  it('is logged without its intent', () => {
    const raw = card({ code: 'card_declined', payment_intent: intent({}) });
    expect(JSON.stringify(factsOf(error(raw)))).not.toContain('secret');
  });
});

describe('a webhook', () => {
  const about = (type: string, object: object): object =>
    readWebhook({ id: 'evt_1', type, data: { object } } as never);

  it('names its intent', () => {
    const metadata = { company: 'c1', payment: 'p1', kind: 'period' };
    expect(about('payment_intent.succeeded', { object: 'payment_intent', id: 'pi_1', metadata })).toEqual({
      id: 'evt_1',
      about: 'intent',
      intent_id: 'pi_1',
      named: { company: 'c1', payment: 'p1' },
    });
    expect(about('charge.refunded', { object: 'charge', id: 'ch_1', payment_intent: 'pi_1' })).toMatchObject({
      about: 'refund',
      intent_id: 'pi_1',
    });
    expect(
      about('charge.dispute.created', { object: 'dispute', payment_intent: { id: 'pi_1' } }),
    ).toMatchObject({
      about: 'dispute',
      intent_id: 'pi_1',
    });
    expect(about('customer.created', { object: 'customer', id: 'cus_1' })).toMatchObject({ intent_id: null });
  });
});

describe('a dispute', () => {
  it.each([
    ['needs_response', 'open'],
    ['under_review', 'open'],
    ['lost', 'lost'],
    ['won', 'none'],
    ['warning_needs_response', 'none'],
    ['warning_closed', 'none'],
  ])('that is %s holds the money: %s', (status, expected) => {
    expect(disputeOf([{ status: 'warning_closed' } as Stripe.Dispute, { status } as Stripe.Dispute])).toBe(
      expected,
    );
  });
});
