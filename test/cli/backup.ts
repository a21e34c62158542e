import { getConnectionToken } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';

import type { World } from '../world.js';

const COLLECTIONS = ['users', 'credits', 'coupons', 'subscriptions', 'orders', 'payments', 'events'];

/** Copies the database, like a backup, and returns a function that restores it. */
export async function backup(world: World): Promise<() => Promise<void>> {
  const rows = (name: string): ReturnType<Connection['collection']> =>
    world.api.get<Connection>(getConnectionToken()).collection(name);
  const kept = new Map<string, any[]>();
  for (const name of COLLECTIONS) kept.set(name, await rows(name).find({}).toArray());
  return async () => {
    for (const [name, documents] of kept) {
      await rows(name).deleteMany({});
      if (documents.length > 0) await rows(name).insertMany(documents);
    }
  };
}
