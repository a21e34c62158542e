import { isId, type Id } from './fields/id.js';
import type { Filter } from './page.js';

/**
 * Those of these records that the company owns. That is said by a double negation, because no index can serve it: told
 * that the company is equal, the embedded server prefers an index that begins with the company, and reads all that the
 * company has to find a few.
 */
export function byIds(company: Id, ids: readonly Id[]): Filter {
  return { _id: { $in: [...ids] }, company: ownedBy(company) };
}

/**
 * What has this id, or one of these, where all of `rest` holds. The rest is nested, which says the same: with all of it
 * beside the id, the embedded server weighs every index of the collection first, which costs as much again as the read.
 * MongoDB takes the index of ids either way.
 */
export function idWhere(_id: unknown, rest: Filter): Filter {
  return { $and: [{ _id }, { $and: [rest] }] };
}

/** As a filter on several ids says whose they must be. */
export function ownedBy(company: Id): Filter {
  return { $not: { $ne: company } };
}

/** Whether a filter names several ids. */
export function asksIds({ _id: asked }: Filter): boolean {
  return typeof asked === 'object' && asked !== null && !isId(asked) && '$in' in asked;
}
