import { Database } from '@commerce/data';
import { getConnectionToken } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';

import { World } from '../world.js';

let world: World;
let connection: Connection;
beforeAll(async () => {
  world = await World.start({ worker: false });
  connection = world.api.get<Connection>(getConnectionToken());
});
afterAll(() => world.stop());

async function indexes(collection: string): Promise<Record<string, unknown>> {
  const found = await connection.collection(collection).indexes();
  return Object.fromEntries(
    found.map(({ name, partialFilterExpression }) => [name, partialFilterExpression]),
  );
}

describe('The start of a process', () => {
  it('replaces an index whose definition has changed, also beside the start of another', async () => {
    const before = await indexes('subscriptions');
    const subscriptions = connection.collection('subscriptions');
    await subscriptions.dropIndex('wake_at_1');
    await subscriptions.createIndexes([
      { key: { wake_at: 1 }, partialFilterExpression: { wake_at: { $type: 'date' } } },
    ]);
    await connection.collection('payments').createIndexes([{ key: { note: 1 } }]);

    const database = world.get(Database);
    await Promise.all([database.ensureIndexes(), database.ensureIndexes()]);

    expect(await indexes('subscriptions')).toEqual(before);
    expect(before['wake_at_1']).toEqual({ wake_at: { $gt: new Date(0) } });
    // An operator's own index stays.
    expect(Object.keys(await indexes('payments'))).toContain('note_1');
  });

  it('changes nothing when all indexes are right', async () => {
    const before = await indexes('products');
    await world.get(Database).ensureIndexes();
    expect(await indexes('products')).toEqual(before);
  });
});

describe('Each collection', () => {
  it('exists after the start, so that no transaction has to create one', async () => {
    const declared = world
      .get(Database)
      .collections()
      .map(({ collection }) => collection.collectionName);
    expect(new Set(declared).size).toBe(declared.length);
    const { db } = connection;
    const existing = (await db?.listCollections({}, { nameOnly: true }).toArray()) ?? [];
    expect(existing.map(({ name }) => name).sort()).toEqual(declared.sort());
  });

  it('has unique indexes that begin with its shard key', () => {
    const unique = world
      .get(Database)
      .collections()
      .flatMap(({ collection, indexes, sharding }) =>
        sharding === null
          ? []
          : indexes
              .filter((index) => index.unique === true)
              .map(({ key }) => ({
                name: collection.collectionName,
                begins: Object.keys(key)[0],
                key: Object.keys(sharding.key)[0],
              })),
      );
    expect(unique.length).toBeGreaterThan(8);
    expect(unique.filter(({ begins, key }) => begins !== key)).toEqual([]);
  });

  it('lies with its company, unless it belongs to the installation', () => {
    const apart = world
      .get(Database)
      .collections()
      .filter(({ sharding }) => sharding?.from === undefined)
      .map(({ collection }) => collection.collectionName);
    expect(apart.sort()).toEqual([
      'billing_holds',
      'image_content.chunks',
      'image_content.files',
      'provider_notices',
      'signing_keys',
      'sweep_leases',
    ]);
  });
});
