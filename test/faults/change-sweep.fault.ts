import { setTimeout as pause } from 'node:timers/promises';

import { eventually, idIn, type Client } from '@commerce/testing';

import { ServiceProcesses } from '../processes.js';

const WEEK = 7 * 86_400_000;
const MINUTE = 60_000;

/**
 * Subscriptions that are renewed at one instant: half are changed by their users, half by an admin; half pay in advance,
 * half in arrears.
 */
const SUBSCRIPTIONS = 32;

/** The changes are sent from this long before the renewals to as long after. */
const AROUND_MS = 1500;

let service: ServiceProcesses;
beforeAll(async () => {
  service = await ServiceProcesses.start();
  await service.run('worker', 'second worker');
}, 90_000);
afterAll(() => service.stop());

interface Subscriber {
  readonly id: string;
  readonly prepay: boolean;
  /** The one who changes it. */
  readonly by: Client;
}

/** Plans of 10.00 and 30.00 a week. */
interface Weekly {
  readonly ten: string;
  readonly thirty: string;
}

async function weekly(prepay: boolean): Promise<Weekly> {
  const [ten, thirty] = await Promise.all(
    [10, 30].map(async (total_amount) => {
      const body = { name: 'Weekly', interval_unit: 'WEEK', currency: 'EUR', prepay, total_amount };
      return idIn(await service.admin.made('/plans', body));
    }),
  );
  return { ten: ten!, thirty: thirty! };
}

const paymentsOf = (id: string): Promise<any[]> =>
  service.admin.read(`/subscriptions/${id}/payments`, { sort: 'created' });

/** A customer whose week of 10.00 ends at `renewal`. */
async function subscriber(
  { ten }: Weekly,
  renewal: number,
  { prepay, isUser }: { readonly prepay: boolean; readonly isUser: boolean },
): Promise<Subscriber> {
  const { user, method: payment_method } = await service.cardholder('pm_card_visa');
  const body = { plan: ten, user, payment_method, start_now: true, starting_date: renewal - WEEK };
  const id = idIn(await service.admin.made('/subscriptions', body));
  if (!isUser) return { id, prepay, by: service.admin };
  const { access_token } = await service.admin.made(`/users/${user}/tokens`);
  return { id, prepay, by: service.admin.as(access_token) };
}

/** Sends a change until it is not refused; returns the status of each reply. */
async function changed({ id, by }: Subscriber, terms: string): Promise<number[]> {
  const statuses: number[] = [];
  for (let left = 60; left > 0; left -= 1) {
    const { status, body } = await by.post(`/subscriptions/${id}/change`, { plan: terms });
    statuses.push(status);
    if (status !== 409) return statuses;
    expect(body.code).toMatch(/^(subscription\.state_conflict|record\.conflict|payment\.open)$/);
    await pause(500);
  }
  return statuses;
}

/** A renewal that leaves time to make the subscriptions, at an instant whose day lasts until the changes are over. */
async function nextRenewal(): Promise<number> {
  const left = 86_400_000 - (Date.now() % 86_400_000);
  if (left < 5 * MINUTE) await pause(left);
  return Date.now() + 1.5 * MINUTE;
}

/** The charges after the first week: the day of the change belongs to the dearer price, that of the week it is in. */
const CHANGED_FIRST = [2.86, 30];
const RENEWED_FIRST = [10, 20];

/** The charge of the first week in arrears, and the next one. */
const FIRST_IN_ARREARS = [12.86, 10];
const NEXT_IN_ARREARS = 30;

describe('Changes at the instant at which a worker renews the subscriptions', () => {
  it('come before or after the renewal; whichever wins, nothing is charged twice or lost', async () => {
    const [advance, arrears] = [await weekly(true), await weekly(false)];
    const plansOf = ({ prepay }: Pick<Subscriber, 'prepay'>): Weekly => (prepay ? advance : arrears);
    const renewal = await nextRenewal();
    const all: Subscriber[] = [];
    for (let index = 0; index < SUBSCRIPTIONS; index += 1) {
      const kind = { prepay: index % 4 < 2, isUser: index % 2 === 0 };
      all.push(await subscriber(plansOf(kind), renewal, kind));
    }
    for (const { id } of all.filter(({ prepay }) => prepay)) {
      await eventually(
        () => paymentsOf(id),
        ([first]) => first?.status === 'SUCCEEDED',
        60_000,
      );
    }
    expect(Date.now()).toBeLessThan(renewal - 2 * AROUND_MS);

    const replies = await Promise.all(
      all.map(async (one, index) => {
        const offset = AROUND_MS * ((2 * index) / (SUBSCRIPTIONS - 1) - 1);
        await pause(renewal + offset - Date.now());
        return changed(one, plansOf(one).thirty);
      }),
    );
    expect(replies.map((statuses) => statuses.at(-1))).toEqual(all.map(() => 200));

    const firsts = new Set<string>();
    for (const one of all) {
      if (one.prepay) firsts.add((await isChangedFirst(one.id)) ? 'changed' : 'renewed');
      else await expectArrears(one.id);
      const now = await service.admin.read(`/subscriptions/${one.id}`);
      const { thirty } = plansOf(one);
      expect(now).toMatchObject({ plan: { $oid: thirty }, status: 'ACTIVE', outstanding_amount: 0 });
      expect([now.pending_change, now.next_billing_date.$date]).toEqual([null, renewal + WEEK]);
    }
    expect(firsts.size).toBe(2);
    await expectSameBooks();
  }, 300_000);
});

/** The payments of a subscription once those that match have all succeeded. */
function paidOf(id: string, isComplete: (payments: readonly any[]) => boolean): Promise<any[]> {
  return eventually(
    () => paymentsOf(id),
    (found) => isComplete(found) && found.every(({ status }) => status === 'SUCCEEDED'),
    60_000,
  );
}

async function isChangedFirst(id: string): Promise<boolean> {
  const payments = await paidOf(id, (found) => isRenewed(found));
  const [first, ...later] = payments.map(({ amount }) => amount);
  expect(first).toBe(10);
  expect([CHANGED_FIRST, RENEWED_FIRST]).toContainEqual(later);
  return later[0] === CHANGED_FIRST[0];
}

async function expectArrears(id: string): Promise<void> {
  const payments = await paidOf(id, ({ length }) => length > 0);
  expect(FIRST_IN_ARREARS).toContain(payments[0].amount);
  expect(payments).toHaveLength(1);
  const { charges } = await service.admin.read(`/subscriptions/${id}/preview`);
  expect(charges[0].amount).toBe(NEXT_IN_ARREARS);
}

/** Whether a week at the new price has been charged, in one payment or with its change. */
function isRenewed([, ...later]: readonly any[]): boolean {
  return later.some(({ amount }) => amount === 30 || amount === 20);
}

/** The provider has charged every payment once. */
async function expectSameBooks(): Promise<void> {
  const paid = await service.database.collection('payments').find({}).toArray();
  const sorted = (amounts: number[]): number[] => amounts.sort((a, b) => a - b);
  const booked = (await service.providerCharges()).map(({ amount }) => amount);
  expect(sorted(booked)).toEqual(sorted(paid.map(({ amount }) => Math.round(Number(String(amount)) * 100))));
}
