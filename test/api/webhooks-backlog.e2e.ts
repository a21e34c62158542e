import { newId, parseId, type Id } from '@commerce/records';
import { eventually, type Receiver } from '@commerce/testing';
import { getConnectionToken } from '@nestjs/mongoose';
import type { Connection, mongo } from 'mongoose';

import { dueDelivery, type DueRow } from '../../libs/events/src/delivery/due-delivery.js';
import { DeliveryDispatcher } from '../../libs/events/src/sending/delivery-dispatcher.js';
import { commandsOf, watchCommands } from '../sent-commands.js';
import { World } from '../world.js';

const WEBHOOKS = 8;
const DUE_TO_EACH = 300;
const DUE = WEBHOOKS * DUE_TO_EACH;

type Row = Record<string, unknown> & { _id: Id };

let world: World;
let connection: Connection;
beforeAll(async () => {
  watchCommands();
  world = await World.start();
  connection = world.worker!.get<Connection>(getConnectionToken());
});
afterAll(() => world.stop());

const pending = (): Promise<number> =>
  connection.collection('deliveries').countDocuments({ status: 'PENDING' });

/** Creates webhooks that have each received one event. */
async function webhooks(): Promise<{ ids: Id[]; receivers: Receiver[] }> {
  const made = await Promise.all(Array.from({ length: WEBHOOKS }, () => world.listening('user.created')));
  await world.user();
  for (const { receiver } of made) await receiver.until(() => receiver.messages.length > 0);
  await eventually(pending, (count) => count === 0);
  return { ids: made.map(({ id }) => parseId(id)!), receivers: made.map(({ receiver }) => receiver) };
}

/** Gives each webhook many more due deliveries, copied from the one it had. */
async function owe(ids: readonly Id[]): Promise<void> {
  const events: Row[] = [];
  const deliveries: Row[] = [];
  for (const webhook of ids) {
    const pattern = await connection.collection('deliveries').findOne({ webhook });
    const event = await connection.collection('events').findOne({ _id: pattern?.['event'] });
    for (let each = 0; each < DUE_TO_EACH; each += 1) {
      const copy = { ...event, _id: newId(), object_id: newId() };
      events.push(copy);
      const fresh = { status: 'PENDING', generation: 0, attempt: 0, recorded: 0, attempts: [] };
      deliveries.push({
        ...pattern,
        ...fresh,
        _id: newId(),
        event: copy._id,
        next_attempt: new Date(Date.now() - 60_000),
      });
    }
  }
  await connection.collection<Row>('events').insertMany(events);
  await connection.collection<Row>('deliveries').insertMany(deliveries);
}

/** The number of deliveries that these commands lease. */
function claimedBy(sent: readonly mongo.CommandStartedEvent[]): number {
  const updates = sent
    .filter(({ commandName, command }) => commandName === 'update' && command['update'] === 'deliveries')
    .flatMap(({ command }) => command['updates'] as { q: any; u: any }[]);
  const claims = updates.filter(({ u }) => typeof u.$set?.claimed_by === 'string');
  const idsOf = ({ $and = [], _id }: any): Id[] => (_id ?? $and[0]._id).$in;
  return claims.reduce((sum, { q }) => sum + idsOf(q).length, 0);
}

describe('Pending deliveries after an outage', () => {
  it('are sent once to each webhook, leased once, and looked up once', async () => {
    const { ids, receivers } = await webhooks();
    const sent = await commandsOf(connection, async () => {
      await owe(ids);
      await eventually(pending, (count) => count === 0, 60_000);
    });
    expect(receivers.map(({ messages }) => messages.length)).toEqual(ids.map(() => DUE_TO_EACH + 1));
    // A sweep must not lease again, in vain, the rows that it read while others of the same read were being leased.
    expect(claimedBy(sent)).toBe(DUE);
    // Backlogs do not hide one another, so the sweep does not query webhook by webhook.
    expect(sent.filter(({ command }) => command['distinct'] === 'deliveries')).toEqual([]);
  }, 120_000);
});

describe('A delivery that a worker tries to lease before it is due', () => {
  it('is sent when it is due', async () => {
    const { receiver, id } = await world.listening('user.created');
    await world.user();
    await receiver.until(() => receiver.messages.length === 1);
    await eventually(pending, (count) => count === 0);

    const deliveries = connection.collection<Row>('deliveries');
    const { _id } = (await deliveries.findOne({ webhook: parseId(id) }))!;
    const due = { status: 'PENDING', next_attempt: new Date(Date.now() + 1500), claimed_by: null };
    const row = await deliveries.findOneAndUpdate(
      { _id, company: world.company },
      { $set: due },
      { returnDocument: 'after' },
    );
    const dispatcher = world.worker!.get(DeliveryDispatcher);
    expect(dispatcher.offer([dueDelivery(row as unknown as DueRow)])).toEqual({ taken: 1, refused: 0 });
    await receiver.until(() => receiver.messages.length === 2, 10_000);
    expect(Date.now()).toBeGreaterThanOrEqual(due.next_attempt.getTime());
  }, 60_000);
});
