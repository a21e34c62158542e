import mongoose, { type mongo } from 'mongoose';

/**
 * Makes collections anew, each with the indexes of the service's own, which cost as much to maintain: deleted documents
 * would slow the database down for a while.
 */
export async function empty(db: mongo.Db, names: readonly string[], prefix = ''): Promise<void> {
  for (const name of names) {
    const indexes = await db.collection(name).indexes();
    const copied = indexes.filter((index) => index.name !== '_id_');
    for (const index of copied) Reflect.deleteProperty(index, 'v');
    const made = prefix + name;
    await db.collection(made).drop();
    await db.createCollection(made);
    if (copied.length > 0) await db.collection(made).createIndexes(copied);
  }
}

/** A copy of a row of the service, with an id of its own. */
export function copyOf<T extends mongo.Document>(row: T): T & { readonly _id: mongo.ObjectId } {
  const _id = new mongoose.mongo.ObjectId();
  // No short id that the API makes has such a letter.
  const short = 'human_id' in row ? { human_id: `z${_id.toHexString().slice(-7)}` } : {};
  return { ...row, ...short, _id };
}
