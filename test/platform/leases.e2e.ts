import { getConnectionToken } from '@nestjs/mongoose';
import { LeasedRows, Leases, engineOf, type Lease } from '@commerce/data';
import type { Connection } from 'mongoose';

import { World } from '../world.js';

let world: World;
let leases: Leases;
let connection: Connection;
beforeAll(async () => {
  world = await World.start({ worker: false });
  leases = world.get(Leases);
  connection = world.api.get<Connection>(getConnectionToken());
});
afterAll(() => world.stop());

const PAST = new Date(1000);

describe.each([{ until: 'due' }, { until: 'due', name: 'leased_by' }])(
  'A lease in the fields %j',
  (fields) => {
    const collection = (): ReturnType<Connection['collection']> => connection.collection('leases_of_test');
    const rows = (): LeasedRows =>
      new LeasedRows({ collection: collection(), engine: engineOf(connection) }, fields);

    async function due(at: Date | null = PAST): Promise<unknown> {
      return (await collection().insertOne({ due: at, tries: 0 })).insertedId;
    }

    it('is one process’s of many that try', async () => {
      const id = await due();
      const tries = Array.from({ length: 20 }, () => rows().take(id, leases.begin(), { add: { tries: 1 } }));
      const taken = (await Promise.all(tries)).filter((row) => row !== null);
      expect(taken).toEqual([expect.objectContaining({ tries: 1 })]);
    });

    it('is not given before the row is due', async () => {
      for (const at of [new Date(Date.now() + 60_000), null]) {
        expect(await rows().take(await due(at), leases.begin())).toBeNull();
      }
    });

    it('lets its process write until another has taken the row', async () => {
      const id = await due();
      const lost: Lease = { ...leases.begin(), until: PAST };
      expect(await rows().take(id, lost)).not.toBeNull();
      expect(await rows().write(id, lost, { set: { note: 'mine' } })).toBe(true);
      const next = leases.begin();
      expect(await rows().take(id, next)).not.toBeNull();
      expect(await rows().write(id, lost, { set: { note: 'late' } })).toBe(false);
      expect(await rows().write(id, next, { set: { due: null } })).toBe(true);
      expect(await collection().findOne({ _id: id as never })).toMatchObject({ note: 'mine', due: null });
    });

    it('is taken of those of several rows that are due', async () => {
      const ids = [await due(), await due(new Date(Date.now() + 60_000)), await due()];
      expect(await rows().takeSome(ids, leases.begin())).toBe(2);
      expect(await rows().takeSome(ids, leases.begin())).toBe(0);
    });
  },
);
