import { existsSync } from 'node:fs';

import { getConnectionToken } from '@nestjs/mongoose';
import type { INestApplicationContext } from '@nestjs/common';
import { Database } from '@commerce/data';
import { Client, eventually, idIn } from '@commerce/testing';
import type { Connection } from 'mongoose';

import { createWorker, startWorker } from '../../apps/worker/src/create-worker.js';
import { cli } from '../cli/command-line.js';
import { at } from '../flows/scenario.js';
import { World } from '../world.js';
import { SECRET_KEYS, keepData, readKept, restoreKept, type KeptData } from './kept-data.js';

/**
 * What the version before has stored; until 1.0.0 has its tag, that is this version. `KEEP_DATA=1 npm test --
 * test/platform/upgrade` writes it anew: once for each release, after its tag was set.
 */
const KEPT = 'test/platform/kept-data.1.0.0.json.gz';

const env = { SECRET_KEYS };

let world: World;
let worker: INestApplicationContext | undefined;
let kept: KeptData;
let admin: Client;

beforeAll(async () => {
  if (process.env['KEEP_DATA'] !== undefined || !existsSync(KEPT)) {
    const before = await World.start({ env });
    await keepData(before, KEPT);
    await before.stop();
  }
  kept = readKept(KEPT);
  world = await World.start({ worker: false, env });
  admin = new Client(world.baseUrl, { apiKey: kept.apiKey, bearer: kept.serviceKey });
}, 120_000);
afterAll(async () => {
  await worker?.close();
  await world.stop();
});

/** The indexes of a collection, by name. */
async function indexes(name: string): Promise<Record<string, unknown>> {
  const found = await world.api.get<Connection>(getConnectionToken()).collection(name).indexes();
  return Object.fromEntries(found.map((index) => [index.name, index.key]));
}

describe('The data of the version before', () => {
  it('gets the indexes of this version', async () => {
    const names = Object.keys(kept.collections);
    const before = await Promise.all(names.map(indexes));
    await restoreKept(world, kept);
    await world.get(Database).ensureIndexes();
    expect(await Promise.all(names.map(indexes))).toEqual(
      before.map((one) => expect.objectContaining(one) as unknown),
    );
  });

  it('is read as it was, with its secrets', async () => {
    for (const [path, reply] of Object.entries(kept.replies))
      expect([path, await admin.read(path)]).toMatchObject([path, JSON.parse(reply)]);
  });

  it('is billed and invoiced on, by what was decided', async () => {
    worker = await createWorker();
    startWorker(worker);
    const { subscription, clock } = kept;
    await admin.made(`/test_clocks/${clock}/advance`, { frozen_time: at('2027-02-16') });
    const payments = await eventually(
      () => admin.read<any[]>(`/subscriptions/${subscription}/payments`, { sort: 'created' }),
      (found) => found.length === 2,
      60_000,
    );
    expect(payments[1]).toMatchObject({ amount: 0, credit_applied: 60, status: 'SUCCEEDED' });
    expect(await admin.read(`/subscriptions/${subscription}`)).toMatchObject({ quantity: 2 });
    const [invoice] = await eventually(
      () => admin.read<any[]>('/invoices', { payment: idIn(payments[1]) }),
      (found) => found.length === 1,
      30_000,
    );
    expect(invoice).toMatchObject({ number: 'R2027-000002', gross: 60 });
  });

  it('adds up', async () => {
    const { findings } = JSON.parse((await cli(['doctor', '--json'])).stdout);
    // The card provider of this test is another one than that of the data.
    expect(findings.map(({ kind }: { kind: string }) => kind)).toEqual(['payment.unknown_to_provider']);
  });
});
