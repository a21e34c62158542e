/**
 * Makes a collection whose indexes cost as much to keep as another's.
 *
 * @param {import('mongoose').mongo.Db} db
 * @param {string} from the service's own
 * @param {string} to
 */
export async function copyIndexes(db, from, to) {
  const indexes = await db.collection(from).indexes();
  const wanted = indexes
    .filter(({ name }) => name !== '_id_')
    .map(({ key, name, unique, partialFilterExpression }) => ({
      key,
      name,
      ...(unique ? { unique } : {}),
      ...(partialFilterExpression ? { partialFilterExpression } : {}),
    }));
  await db.createCollection(to);
  await db.collection(to).createIndexes(wanted);
}
