import { World } from '../world.js';
import { Scenario, type ReportedEvent } from './scenario.js';

let world: World;

beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.stop());

const RETRYING = { prepay: true, should_retry_payments: true, max_payment_retries: 2 };

/** A subscription whose first month is paid; the outcomes are those of the attempts for the second. */
async function renewed(plan: object, until: string, ...outcomes: string[]): Promise<any> {
  const scenario = await Scenario.begin(world, '2025-06-01');
  const id = await scenario.subscribed(plan, { payment_method: await scenario.card() });
  await scenario.settled(id);
  await scenario.bank(...outcomes);
  await scenario.until(until);
  const payments = await scenario.payments(id);
  return { scenario, id, payments };
}

async function kindsOf(scenario: Scenario, payment: any): Promise<string[]> {
  const events = await scenario.events(payment._id.$oid);
  holdFailures(events);
  return events.map(({ kind }) => kind.replace('payment.', ''));
}

/** Each payment.failed follows the event of its change, with the same record, and changes nothing. */
function holdFailures(events: readonly ReportedEvent[]): void {
  expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_event, index) => index + 1));
  for (const [index, { kind, object, previous_data }] of events.entries()) {
    if (kind !== 'payment.failed') continue;
    const before = events[index - 1];
    expect([before?.kind, object, previous_data]).toEqual(['payment.updated', before?.object, {}]);
    expect([object.status, before?.previous_data.status]).toEqual(['FAILED', expect.any(String)]);
  }
}

describe('payment.failed', () => {
  it('is sent for each declined attempt, and arrives at a webhook of its kind', async () => {
    const { receiver } = await world.listening('payment.failed');
    const declined = ['insufficient_funds', 'insufficient_funds', 'succeed'];
    const { scenario, payments } = await renewed(RETRYING, '2025-07-03', ...declined);
    const [first, second] = payments;
    expect(await kindsOf(scenario, first)).toEqual(['created', 'processing', 'succeeded']);
    expect(await kindsOf(scenario, second)).toEqual([
      ...['created', 'processing', 'updated', 'failed'],
      ...['processing', 'updated', 'failed'],
      ...['processing', 'succeeded'],
    ]);
    await receiver.until(() => receiver.messages.length === 2);
    expect(receiver.messages.map(({ json }) => [json.object._id, json.previous_data])).toEqual([
      [second._id.$oid, {}],
      [second._id.$oid, {}],
    ]);
  });

  it('is not sent again when a failed payment is given up', async () => {
    const declined = ['insufficient_funds', 'insufficient_funds', 'insufficient_funds'];
    const { scenario, id, payments } = await renewed(RETRYING, '2025-07-05', ...declined);
    const kinds = await kindsOf(scenario, payments[1]);
    expect(kinds.filter((kind) => kind === 'failed')).toHaveLength(3);
    await scenario.does(id, 'stop');
    await scenario.until('2025-08-02');
    expect(await kindsOf(scenario, payments[1])).toEqual(kinds);
  });

  it('is sent when the customer does not authenticate in time', async () => {
    const { scenario, payments } = await renewed(
      { prepay: true },
      '2025-08-01',
      'authentication_required',
      'succeed',
    );
    expect(payments[1]).toMatchObject({ status: 'FAILED' });
    const kinds = await kindsOf(scenario, payments[1]);
    expect(kinds.slice(0, 5)).toEqual(['created', 'processing', 'requires_auth', 'updated', 'failed']);
    expect(kinds.filter((kind) => kind === 'failed')).toHaveLength(1);
  });

  it.each([
    ['without a card', {}, {}],
    ['below the minimum of the card provider', { total_amount: 0.3 }, { card: true }],
  ])('is sent for a payment that is never sent: %s', async (_case, plan, { card = false }: any) => {
    const scenario = await Scenario.begin(world, '2025-06-01');
    const method = card ? { payment_method: await scenario.card() } : {};
    const id = await scenario.subscribed({ prepay: true, ...plan }, method);
    if (!card) await scenario.does(id, 'start');
    await scenario.until('2025-06-02');
    const [payment] = await scenario.payments(id);
    expect(await kindsOf(scenario, payment)).toEqual(['created', 'updated', 'failed']);
  });
});
