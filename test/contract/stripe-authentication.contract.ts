import { ListPaymentsQuery, withClientSecret, type PaymentRecord } from '@commerce/payments';
import { parseQuery, replyJson } from '@commerce/records';

import { PaymentsBench } from './stripe-harness.js';

let bench: PaymentsBench;

beforeAll(async () => {
  bench = await PaymentsBench.start();
});
afterAll(() => bench.stop());

const CARD = 'pm_card_authenticationRequired';

async function bank(payment: PaymentRecord, outcome: 'approve' | 'decline'): Promise<void> {
  const answer = await bench.sandbox.raw('POST', `/authenticate/${payment.provider.intent_id!}`, { outcome });
  expect(answer.status).toBeLessThan(400);
}

const confirmation = (
  payment: PaymentRecord,
): { payment_intent_id: string; payment_client_secret: string } => ({
  payment_intent_id: payment.provider.intent_id!,
  payment_client_secret: payment.client_secret!,
});

/** A payment that waits for its customer, and the customer. */
async function waiting(): Promise<{
  payment: PaymentRecord;
  owner: ReturnType<PaymentsBench['as']>;
  card: any;
}> {
  const user = await bench.user();
  const card = await bench.card(CARD, user);
  const payment = await bench.charged(card);
  expect(payment.status).toBe('REQUIRES_AUTH');
  return { payment, owner: bench.as(user), card };
}

describe('a charge that the customer must authenticate', () => {
  it('waits, and reports once which action it needs', async () => {
    const { payment, card } = await waiting();
    await bench.writer.afterCommit(payment);
    const events = await bench.events(payment);
    expect(events.map(({ kind }) => kind)).toEqual([
      'payment.created',
      'payment.processing',
      'payment.requires_auth',
    ]);
    expect(events[2].object.metadata).toEqual({
      payment_intent_id: payment.provider.intent_id,
      intent_client_secret: payment.client_secret,
      payment_method_id: card.payment_method_id,
    });
    expect(await bench.ledger(card)).toMatchObject({ charges: 0 });
  });

  it('shows the secret to nobody but its owner, and to them only while it is needed', async () => {
    const { payment, owner } = await waiting();
    const id = payment._id.toHexString();
    const shown = async (record: object): Promise<string> => replyJson(record);
    expect(await shown(await bench.reader.get(owner, id))).toContain(payment.client_secret);
    expect(await shown(await bench.reader.get(bench.admin, id))).not.toContain('_secret');
    expect(
      await shown((await bench.reader.list(owner, parseQuery(ListPaymentsQuery, {}))).records),
    ).not.toContain('_secret');
    await bank(payment, 'approve');
    const paid = await bench.payments.confirm(owner, id, confirmation(payment));
    expect(await shown(paid)).not.toContain('_secret');
    expect(await shown(await bench.reader.get(owner, id))).not.toContain('_secret');
    const events = await bench.events(payment);
    expect(events.at(-1).kind).toBe('payment.succeeded');
    expect(JSON.stringify(events.at(-1))).not.toContain('_secret');
    expect(JSON.stringify(events.map(({ previous_data }) => previous_data))).not.toContain('_secret');
  });

  it('is looked up at the provider when it is confirmed; a repetition returns the same', async () => {
    const { payment, owner, card } = await waiting();
    const id = payment._id.toHexString();
    expect((await bench.payments.confirm(owner, id, confirmation(payment))).status).toBe('REQUIRES_AUTH');
    await bank(payment, 'approve');
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => bench.payments.confirm(owner, id, confirmation(payment))),
    );
    const again = await bench.payments.confirm(bench.admin, id, confirmation(payment));
    const rendered = [...answers, again].map((one) => replyJson(one));
    expect(new Set(rendered).size).toBe(1);
    expect(again.status).toBe('SUCCEEDED');
    expect((await bench.kinds(payment)).filter((kind) => kind === 'payment.succeeded')).toHaveLength(1);
    expect(await bench.ledger(card)).toMatchObject({ charges: 1 });
  });

  it('cannot be confirmed with anything but its own intent and secret', async () => {
    const one = await waiting();
    const other = await waiting();
    const id = one.payment._id.toHexString();
    const own = confirmation(one.payment);
    const invalid = { code: 'payment.confirmation_invalid' };
    await bank(other.payment, 'approve');
    await expect(bench.payments.confirm(one.owner, id, confirmation(other.payment))).rejects.toMatchObject(
      invalid,
    );
    const wrong = { ...own, payment_client_secret: `${own.payment_client_secret}x` };
    await expect(bench.payments.confirm(one.owner, id, wrong)).rejects.toMatchObject(invalid);
    const foreign = { ...own, payment_intent_id: other.payment.provider.intent_id! };
    await expect(bench.payments.confirm(one.owner, id, foreign)).rejects.toMatchObject(invalid);
    await expect(bench.payments.confirm(other.owner, id, own)).rejects.toMatchObject({
      code: 'payment.not_found',
    });
    expect((await bench.read(one.payment)).status).toBe('REQUIRES_AUTH');
  });

  it('has no secret to be confirmed with when none was requested', async () => {
    const paid = await bench.charged(await bench.card());
    const body = { payment_intent_id: paid.provider.intent_id!, payment_client_secret: '' };
    await expect(bench.payments.confirm(bench.admin, paid._id.toHexString(), body)).rejects.toMatchObject({
      code: 'payment.confirmation_invalid',
    });
  });

  it('fails when the bank reports that it was not the customer', async () => {
    const { payment, owner } = await waiting();
    const id = payment._id.toHexString();
    await bank(payment, 'decline');
    const failed = await bench.payments.confirm(owner, id, confirmation(payment));
    expect(failed).toMatchObject({ status: 'FAILED', attempts: [{ code: 'generic_decline' }] });
    // The customer sees no more than this; an admin does.
    expect(await bench.read(payment)).toMatchObject({
      attempts: [{ code: 'payment_intent_authentication_failure', decline: 'soft' }],
    });
  });

  it('is found settled without a report from customer or provider', async () => {
    const { payment } = await waiting();
    await bank(payment, 'approve');
    expect((await bench.checked(payment)).status).toBe('SUCCEEDED');
  });

  it('continues with another card: the old intent is cancelled first, and only one takes money', async () => {
    const { payment, card } = await waiting();
    const better = await bench.card('pm_card_visa', { _id: card.user, company: bench.company } as never);
    const paid = await bench.again(payment, better);
    expect(paid).toMatchObject({
      status: 'SUCCEEDED',
      attempts: [
        { number: 1, status: 'FAILED', code: 'attempt.superseded' },
        { number: 2, status: 'SUCCEEDED' },
      ],
    });
    const old = await bench.sandbox.stripe.paymentIntents.retrieve(payment.provider.intent_id!);
    expect(old.status).toBe('canceled');
    expect(paid.provider.intent_id).not.toBe(old.id);
    expect(await bench.ledger(card)).toMatchObject({ captured: 10_000, charges: 1 });
  });

  it('takes the authenticated charge when another card comes just too late', async () => {
    const { payment, card } = await waiting();
    const better = await bench.card('pm_card_visa', { _id: card.user, company: bench.company } as never);
    await bank(payment, 'approve');
    const paid = await bench.again(payment, better);
    expect(paid).toMatchObject({ status: 'SUCCEEDED', provider: { intent_id: payment.provider.intent_id } });
    expect(await bench.ledger(card)).toMatchObject({ captured: 10_000, charges: 1 });
  });

  it('needs the customer in session too', async () => {
    const user = await bench.user();
    const card = await bench.card(CARD, user);
    const payment = await bench.charged(card, { off_session: false });
    expect(payment.status).toBe('REQUIRES_AUTH');
    expect(withClientSecret(payment).metadata).toHaveProperty('intent_client_secret', payment.client_secret);
    await bank(payment, 'approve');
    const paid = await bench.payments.confirm(
      bench.as(user),
      payment._id.toHexString(),
      confirmation(payment),
    );
    expect(paid.status).toBe('SUCCEEDED');
  });
});

describe('an abandoned payment', () => {
  it('is cancelled at the provider, so that nobody can pay it later', async () => {
    const { payment } = await waiting();
    const given = await bench.abandoned(payment);
    expect(given).toMatchObject({ status: 'FAILED', attempts: [{ code: 'not_authenticated' }] });
    expect(await bench.writer.afterCommit(given)).toMatchObject({ status: 'FAILED', check_at: null });
    const intent = await bench.sandbox.stripe.paymentIntents.retrieve(payment.provider.intent_id!);
    expect(intent.status).toBe('canceled');
    await expect(bench.again(payment, null)).rejects.toMatchObject({ code: 'payment.state_conflict' });
  });

  it('is cancelled by the reconciler when the abandoning process died', async () => {
    const { payment } = await waiting();
    await bench.abandoned(payment);
    expect((await bench.checked(payment)).check_at).toBeNull();
    const intent = await bench.sandbox.stripe.paymentIntents.retrieve(payment.provider.intent_id!);
    expect(intent.status).toBe('canceled');
  });

  it('has succeeded when the customer was faster', async () => {
    const { payment } = await waiting();
    await bank(payment, 'approve');
    const given = await bench.abandoned(payment);
    expect(await bench.writer.afterCommit(given)).toMatchObject({ status: 'SUCCEEDED', check_at: null });
    expect(bench.follower.seen.at(-1)).toBe('FAILED>SUCCEEDED');
  });
});
