import { eventually } from '@commerce/testing';
import type { mongo } from 'mongoose';

import type { ServiceProcesses } from '../processes.js';
import { startMortal, workerDiesEverywhere } from './dying.js';
import { SELLER, TeaBuyer, expectNumbered, waitingIn } from './numbered.js';

let service: ServiceProcesses;
let db: mongo.Db;
let buyer: TeaBuyer;
beforeAll(async () => {
  service = await startMortal({ LEASE_MS: '1000' });
  if (service.database.db === undefined) throw new Error('the database is not connected');
  db = service.database.db;
  await service.admin.changed('/company', { seller: SELLER });
  buyer = await TeaBuyer.in(service);
}, 120_000);
afterAll(async () => {
  await service.stop();
});

const isDone = async (): Promise<boolean> => (await waitingIn(db)) === 0;

describe('A worker that dies while it numbers invoices', () => {
  it('leaves neither a gap nor a number that is given twice, at whichever write it dies', async () => {
    const payments: string[] = [];
    // The numbering names the sequence of its numbers, and nothing else does.
    const id = `/invoice/${String(new Date().getUTCFullYear())}`;
    const cases = await workerDiesEverywhere(
      service,
      async () => {
        // Otherwise the worker could die of this payment while it is asked to die of the next.
        await eventually(isDone, Boolean, 60_000);
        return { id };
      },
      async () => {
        payments.push(await buyer.paid());
      },
      isDone,
    );
    expect(cases.length).toBeGreaterThan(4);
    await expectNumbered(db, payments);
  }, 540_000);
});
