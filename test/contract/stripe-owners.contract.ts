import { deliverJob } from '@commerce/events';
import { UserStore, type UserRecord } from '@commerce/identity';
import {
  Settlement,
  type OwnerChange,
  type OwnerDecision,
  type PaymentMethodRecord,
  type PaymentRecord,
} from '@commerce/payments';
import { UnitsOfWork } from '@commerce/data';
import { JobQueue } from '@commerce/jobs';
import type { OwnedRecord } from '@commerce/records';

import { PaymentsBench } from './stripe-harness.js';

let bench: PaymentsBench;
let user: UserRecord;
let card: PaymentMethodRecord;

beforeAll(async () => {
  bench = await PaymentsBench.start();
});
afterAll(() => bench.stop());

beforeEach(async () => {
  user = await bench.user();
  card = await bench.card('pm_card_visa', user);
});
afterEach(() => {
  bench.follower.answer = () => Promise.resolve(null);
});

const NOTHING: OwnerDecision = { changes: [], refunds: [], followUp: null };

const users = (): ReturnType<UserStore['in']> => bench.app.get(UserStore).in(bench.company);

/** A change of the user's record, in the place of a subscription or an order. */
function renamed(before: UserRecord, name: string): OwnerDecision {
  const store = bench.app.get(UserStore);
  const change: OwnerChange<UserRecord> = { store, before, changes: { name }, event: 'user.updated' };
  return { ...NOTHING, changes: [change] };
}

const kindsOf = async (record: OwnedRecord): Promise<string[]> =>
  bench.kinds(record as unknown as PaymentRecord);

describe('the owner of a payment', () => {
  it('has its changes written with the payment, and its job added after the commit', async () => {
    const jobs = bench.app.get(JobQueue);
    // Any job that waits here: no worker runs.
    const job = deliverJob;
    const before = (await jobs.waiting(job)) ?? 0;
    const request = { data: { webhook: user._id } };
    bench.follower.answer = () => Promise.resolve({ ...renamed(user, 'Paid'), followUp: { job, request } });
    const paid = await bench.charged(card);
    expect(paid.status).toBe('SUCCEEDED');
    expect(await users().get(user._id)).toMatchObject({ name: 'Paid' });
    expect(await kindsOf(user)).toEqual(['user.updated']);
    expect(await jobs.waiting(job)).toBe(before + 1);
  });

  it('is called again with the current state when another writer was faster', async () => {
    let asked = 0;
    bench.follower.answer = async () => {
      asked += 1;
      const found = await users().get(user._id);
      if (asked === 1) {
        const units = bench.app.get(UnitsOfWork);
        await units.change(users(), user._id, () => ({ changes: { external_reference: 'meanwhile' } }));
      }
      return renamed(found, `asked ${String(asked)} times`);
    };
    expect((await bench.charged(card)).status).toBe('SUCCEEDED');
    expect(await users().get(user._id)).toMatchObject({
      name: 'asked 2 times',
      external_reference: 'meanwhile',
    });
    expect(await kindsOf(user)).toEqual(['user.updated']);
    expect(await bench.ledger(card)).toMatchObject({ charges: 1 });
  });

  it('gets the record that the last commit left, unless that is outdated', async () => {
    const known: (OwnedRecord | null)[] = [];
    bench.follower.answer = async (_before, _after, _now, handedOn) => {
      known.push(handedOn);
      return renamed((handedOn as UserRecord | null) ?? (await users().get(user._id)), 'Handed on');
    };
    await bench.writer.afterCommit(await bench.opened(card), user);
    expect(known).toEqual([user]);
    await bench.writer.afterCommit(await bench.opened(card), user);
    expect(known).toEqual([user, user, null]);
    expect(await bench.ledger(card)).toMatchObject({ charges: 2 });
  });

  it('refunds the payment: reserved in the commit, at most the rest, sent after it', async () => {
    const refund = { key: 'late', amount_minor: 1_000_000, reason: 'not owed any more' };
    bench.follower.answer = (_before, { status }) =>
      Promise.resolve(status === 'SUCCEEDED' ? { ...NOTHING, refunds: [refund, refund] } : null);
    expect(await bench.charged(card)).toMatchObject({
      status: 'REFUNDED',
      refunded_amount: 100,
      refunds: [{ key: 'late', amount: 100, status: 'SUCCEEDED', reason: 'not owed any more' }],
      check_at: null,
    });
    expect(await bench.ledger(card)).toMatchObject({ captured: 10_000, refunded: 10_000 });
  });

  it('has its refund sent by the reconciler when the process died after the commit', async () => {
    const refund = { key: 'late', amount_minor: 4000, reason: null };
    bench.follower.answer = (_before, { status }) =>
      Promise.resolve(status === 'SUCCEEDED' ? { ...NOTHING, refunds: [refund] } : null);
    const payment = await bench.opened(card);
    const { id, latest_charge } = await bench.sentFor(payment);
    const outcome = { kind: 'succeeded', intent_id: id, charge_id: latest_charge as string } as const;
    const paid = await bench.app.get(Settlement).settle(payment, 1, outcome);
    expect(paid).toMatchObject({ status: 'SUCCEEDED', refunds: [{ status: 'PENDING' }] });
    expect(await bench.checked(paid)).toMatchObject({ status: 'PARTIALLY_REFUNDED', refunded_amount: 40 });
    expect(await bench.ledger(card)).toMatchObject({ refunded: 4000 });
  });
});
