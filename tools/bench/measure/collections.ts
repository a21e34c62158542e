import type { mongo } from 'mongoose';

/** Makes a collection whose indexes cost as much to maintain as those of `from`, the service's own. */
export async function copyIndexes(db: mongo.Db, from: string, to: string): Promise<void> {
  await create(db, to, await indexesOf(db, from));
}

/**
 * Empties collections for the next round. They are made anew, since what is deleted weighs on the database for a while:
 * the more rounds there were before, the slower would be the next one.
 */
export async function empty(db: mongo.Db, ...names: string[]): Promise<void> {
  for (const name of names) {
    const indexes = await indexesOf(db, name);
    await db.collection(name).drop();
    await create(db, name, indexes);
  }
}

async function indexesOf(db: mongo.Db, collection: string): Promise<mongo.IndexDescription[]> {
  const indexes = await db.collection(collection).indexes();
  return indexes
    .filter(({ name }) => name !== '_id_')
    .map(({ key, name, unique, partialFilterExpression }) => ({
      key,
      ...(name === undefined ? {} : { name }),
      ...(unique ? { unique } : {}),
      ...(partialFilterExpression ? { partialFilterExpression } : {}),
    }));
}

async function create(db: mongo.Db, name: string, indexes: readonly mongo.IndexDescription[]): Promise<void> {
  await db.createCollection(name);
  if (indexes.length > 0) await db.collection(name).createIndexes([...indexes]);
}
