import { getConnectionToken } from '@nestjs/mongoose';
import { engineOf } from '@commerce/data';
import type { Connection } from 'mongoose';

import { World } from '../world.js';
import { cli } from './command-line.js';

let world: World;
beforeAll(async () => {
  world = await World.start({ worker: false });
});
afterAll(() => world.stop());

it('doctor reports an embedded database that is larger than what was measured', async () => {
  const connection = world.api.get<Connection>(getConnectionToken());
  const doctor = ['doctor', '--json', '--company', world.company.toHexString()];
  expect(JSON.parse((await cli(doctor)).stdout)).toEqual({ findings: [] });
  const { company } = await world.stranger();
  for (let at = 0; at < 64_000; at += 8000) {
    const rows = Array.from({ length: 8000 }, (_, n) => ({ company, human_id: String(at + n) }));
    await connection.collection('products').insertMany(rows);
  }
  const { code, stdout } = await cli(doctor);
  const isEmbedded = engineOf(connection).name === 'embedded';
  const found = {
    kind: 'database.too_large',
    id: 'products',
    detail: expect.stringMatching(/^64000 doc.* 63000/),
  };
  expect([code, JSON.parse(stdout).findings]).toEqual(
    isEmbedded ? [1, [expect.objectContaining(found)]] : [0, []],
  );
}, 120_000);
