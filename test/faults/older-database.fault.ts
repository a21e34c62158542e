import { getConnectionToken } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';

import { databaseIn } from '../mongodb-uri.js';
import { takesBulkWrite } from '../sent-commands.js';
import { World } from '../world.js';
import { MongoProxy } from './mongo-proxy.js';

let proxy: MongoProxy;
let world: World;
const sent: string[] = [];
beforeAll(async () => {
  proxy = await MongoProxy.start(process.env['MONGODB_URI']!);
  process.env['MONGODB_URI'] = proxy.uri(databaseIn(process.env['MONGODB_URI']!));
  world = await World.start({ worker: false });
});
afterAll(async () => {
  await world.stop();
  await proxy.stop();
});

/** Creates a product, and returns the commands that this took. */
async function commandsOfProduct(name: string): Promise<string[]> {
  sent.length = 0;
  await world.admin.made('/products', { name, price: 1, currency: 'EUR' });
  return [...sent];
}

describe('A commit of several writes', () => {
  it('takes three commands, and on a server without bulkWrite one for each write', async () => {
    proxy.treats((command) => {
      sent.push(command);
      return 'pass';
    });
    await commandsOfProduct('warm');
    const singly = ['insert', 'insert', 'insert', 'commitTransaction'];
    const isNew = await takesBulkWrite(world.api.get<Connection>(getConnectionToken()));
    const atOnce = isNew ? ['insert', 'bulkWrite', 'commitTransaction'] : singly;
    expect(await commandsOfProduct('new')).toEqual(atOnce);

    proxy.treats((command) => {
      sent.push(command);
      return command === 'bulkWrite' ? 'misspell' : 'pass';
    });
    const tried = isNew ? ['insert', 'bulkWrite', 'abortTransaction'] : [];
    expect(await commandsOfProduct('first')).toEqual([...tried, ...singly]);
    expect(await commandsOfProduct('second')).toEqual(singly);

    const found = await world.admin.read('/products/search?query=second');
    expect(found.map(({ name }: { name: string }) => name)).toEqual(['second']);
  });
});
