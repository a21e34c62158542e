import { SubscriptionStore } from '@commerce/billing';
import { PaymentStore } from '@commerce/payments';
import { dueBy } from '@commerce/data';
import { newId, type Id } from '@commerce/records';
import { getConnectionToken } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';

import { explained } from '../explain/plan.js';
import { World } from '../world.js';

/**
 * Resting records of each kind. The embedded server inserts a few thousand a second with all their indexes; with
 * MongoDB, RESTING=200000 is a proof at size.
 */
const RESTING = Number(process.env['RESTING'] ?? 20_000);
const DUE = 7;
const NOW = new Date(1_800_000_000_000);

let world: World;
let connection: Connection;
const company = newId();
beforeAll(async () => {
  world = await World.start({ worker: false });
  connection = world.api.get<Connection>(getConnectionToken());
  await add(RESTING / 10, 0);
}, 600_000);
afterAll(() => world.stop());

/** Adds resting records, and `due` records among them. */
async function add(resting: number, due: number): Promise<void> {
  const made = Array.from({ length: resting + due }, (_, index) => {
    const at = index < due ? new Date(NOW.getTime() - 1000 - index) : null;
    const created = new Date(NOW.getTime() - index * 1000);
    const _id = newId();
    const row = { _id, company, human_id: _id.toHexString(), created, updated: created, deleted: false };
    return { row, at, user: newId() };
  });
  for (let from = 0; from < made.length; from += 5000) {
    const batch = made.slice(from, from + 5000);
    await insert(
      'subscriptions',
      batch.map(({ row, at, user }) => ({ ...row, user, status: 'ACTIVE', wake_at: at })),
    );
    await insert(
      'payments',
      batch.map(({ row, at, user }) => ({
        ...row,
        user,
        period_key: row.human_id,
        status: 'SUCCEEDED',
        check_at: at,
      })),
    );
    await insert(
      'deliveries',
      batch.map(({ row, at, user }) => ({ ...row, webhook: user, event: row._id, next_attempt: at })),
    );
  }
}

async function insert(collection: string, documents: { _id: Id }[]): Promise<void> {
  if (documents.length > 0) await connection.collection<{ _id: Id }>(collection).insertMany(documents);
}

interface Examined {
  readonly executionStats: { readonly totalKeysExamined: number; readonly totalDocsExamined: number };
}

/** The numbers of keys and documents that a sweep of this collection examines, as the database reports them. */
async function examined(collection: string, field: string): Promise<[number, number]> {
  const sort = { [field]: 1 } as const;
  const sweep = { find: collection, filter: { [field]: dueBy(NOW) }, sort, limit: 100 };
  const { executionStats } = (await explained(connection, sweep, 'executionStats')) as Examined;
  return [executionStats.totalKeysExamined, executionStats.totalDocsExamined];
}

async function pageKeys(): Promise<number> {
  const sort = { created: -1, _id: -1 } as const;
  const page = { find: 'subscriptions', filter: { company, deleted: false }, sort, limit: 21 };
  const { executionStats } = (await explained(connection, page, 'executionStats')) as Examined;
  return executionStats.totalKeysExamined;
}

describe('Beside ten times as many resting records', () => {
  it('sweeps examine only due records, and a page only those that it returns', async () => {
    const before = await pageKeys();
    await add(RESTING - RESTING / 10, DUE);
    for (const [collection, field] of [
      ['subscriptions', 'wake_at'],
      ['payments', 'check_at'],
      ['deliveries', 'next_attempt'],
    ] as const) {
      const [keys, documents] = await examined(collection, field);
      expect([collection, documents]).toEqual([collection, DUE]);
      expect(keys).toBeLessThanOrEqual(DUE + 1);
    }
    expect(await world.get(SubscriptionStore).toWake(NOW, 100)).toHaveLength(DUE);
    expect(await world.get(PaymentStore).due(NOW, 100)).toHaveLength(DUE);
    expect(before).toBeLessThanOrEqual(22);
    expect(await pageKeys()).toBeLessThanOrEqual(22);
  }, 600_000);
});
