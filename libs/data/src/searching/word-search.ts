import type { Filter, OwnedRecord } from '@commerce/records';

import type { CompanyRecords } from '../stores/store.js';
import { askedWords } from './words.js';

/** The field of a record that holds its words, by `wordsOf`, and the index that finds them. */
export const WORDS_FIELD = 'search_words';
export const WORDS_INDEX = { fields: { company: 1, [WORDS_FIELD]: 1 } } as const;

/** Deleted records are left out afterwards, so that the index alone finds the others. */
const EXTRA = 20;

/** The records whose words begin with each word of the query; at most `limit`, in no order. */
export async function foundByWords<R extends OwnedRecord & { readonly deleted: boolean }>(
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
