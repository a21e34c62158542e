import type { Filter, OwnedRecord } from '@commerce/records';

import type { CompanyRecords } from '../stores/store.js';
import { foundByIds, newestFirst, type Sought } from './sought.js';
import { askedWords } from './words.js';

type WordedRecord = OwnedRecord & { readonly deleted: boolean };

/** The field of a record that holds its words, by `wordsOf`, and the index that finds them. */
const WORDS_FIELD = 'search_words';
export const WORDS_INDEX = { fields: { company: 1, [WORDS_FIELD]: 1 } } as const;

/** Deleted records are left out afterwards, so that the index alone finds the others. */
const EXTRA = 20;

/**
 * The records that the text names by an id, and those whose words begin with each of its words: the newest first, at
 * most `limit`.
 */
export async function foundByWords<R extends WordedRecord>(
  records: CompanyRecords<R>,
  sought: Sought,
  limit: number,
): Promise<R[]> {
  const [named, worded] = await Promise.all([
    foundByIds(records, sought),
    withWords(records, sought.text, limit),
  ]);
  return newestFirst([...named, ...worded], limit);
}

/** The records whose words begin with each word of the query; at most `limit`, in no order. */
async function withWords<R extends WordedRecord>(
  records: CompanyRecords<R>,
  query: string,
  limit: number,
): Promise<R[]> {
  const words = askedWords(query).map(beginning);
  const [first, ...others] = words;
  if (first === undefined) return [];
  const filter: Filter = { ...first, ...(others.length === 0 ? {} : { $and: others }) };
  const found = await records.many(filter, { limit: limit + EXTRA });
  return found.filter(({ deleted }) => !deleted).slice(0, limit);
}

/** Without $elemMatch, MongoDB would use only one of the two ends as a bound of the index. */
function beginning(word: string): Filter {
  return { [WORDS_FIELD]: { $elemMatch: { $gte: word, $lt: `${word}\u{10ffff}` } } };
}
