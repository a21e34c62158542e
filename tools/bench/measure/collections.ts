import type { mongo } from 'mongoose';

/** Makes a collection whose indexes cost as much to maintain as those of `from`, the service's own. */
export async function copyIndexes(db: mongo.Db, from: string, to: string): Promise<void> {
  await create(db, to, await indexesOf(db, from));
}

/** Empties collections by making them anew: deleted documents would slow the database down for a while. */
export async function empty(db: mongo.Db, ...names: string[]): Promise<void> {
  for (const name of names) {
    const indexes = await indexesOf(db, name);
    await db.collection(name).drop();
    await create(db, name, indexes);
  }
}

async function indexesOf(db: mongo.Db, collection: string): Promise<mongo.IndexDescription[]> {
  const indexes = await db.collection(collection).indexes();
  const copied = indexes.filter(({ name }) => name !== '_id_');
  for (const index of copied) Reflect.deleteProperty(index, 'v');
  return copied;
}

async function create(db: mongo.Db, name: string, indexes: readonly mongo.IndexDescription[]): Promise<void> {
  await db.createCollection(name);
  if (indexes.length > 0) await db.collection(name).createIndexes([...indexes]);
}
