import type { mongo } from 'mongoose';

/** Documents that one query reads. */
const PAGE = 500;

/**
 * Every document of a collection in the order of the ids, read page by page through the index of `_id`: no cursor has
 * to stay open while the caller works, and no filter makes the database read on in search of a match. `after` is the
 * id to go on behind. Ids of a collection are all of one type.
 */
export async function* walkById<T extends mongo.Document>(
  collection: Pick<mongo.Collection<T>, 'find'>,
  fields: Readonly<Record<string, 1>>,
  after: unknown = null,
): AsyncGenerator<mongo.WithId<T>> {
  let last = after;
  for (;;) {
    const filter = (last === null ? {} : { _id: { $gt: last } }) as mongo.Filter<T>;
    const page = await collection.find(filter, { projection: fields }).sort({ _id: 1 }).limit(PAGE).toArray();
    yield* page;
    const end = page.at(-1);
    if (end === undefined || page.length < PAGE) return;
    last = end._id;
  }
}
