import type { mongo } from 'mongoose';

/** Makes a collection whose indexes cost as much to maintain as those of `from`, the service's own. */
export async function copyIndexes(db: mongo.Db, from: string, to: string): Promise<void> {
  const indexes = await db.collection(from).indexes();
  const wanted = indexes
    .filter(({ name }) => name !== '_id_')
    .map(({ key, name, unique, partialFilterExpression }) => ({
      key,
      ...(name === undefined ? {} : { name }),
      ...(unique ? { unique } : {}),
      ...(partialFilterExpression ? { partialFilterExpression } : {}),
    }));
  await db.createCollection(to);
  await db.collection(to).createIndexes(wanted);
}
