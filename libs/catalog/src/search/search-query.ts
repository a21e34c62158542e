import { Fault, fieldFault } from '@commerce/kernel';
import {
  parseId,
  isIdText,
  type CompanyRecords,
  type Filter,
  type Id,
  type OwnedRecord,
  type RawQuery,
} from '@commerce/platform';

import { GRAM_LENGTH, askedGrams } from './search-grams.js';

const MAX_QUERY = 128;

/** What is searched for, in lower case. */
export function readSearch(raw: RawQuery): string {
  const { query } = raw;
  const bad = (message: string): Fault => fieldFault('query', `query ${message}`);
  if (typeof query !== 'string') throw bad('must be given once');
  const length = Array.from(query).length;
  if (length < 1 || length > MAX_QUERY) throw bad(`must have 1 to ${String(MAX_QUERY)} characters`);
  if (query.includes('\0') || /\p{Surrogate}/u.test(query))
    throw bad('holds characters that no text can hold');
  return query.toLowerCase();
}

/**
 * Matches records that contain the text, or whose id it is; where records have short ids, also those. Such records
 * keep what `searchable` makes of their texts. `query` in lower case.
 */
export async function matching<R extends OwnedRecord>(
  records: CompanyRecords<R>,
  company: Id,
  query: string,
  { shortIds }: { shortIds: boolean },
): Promise<Filter> {
  const text = containing(query, company);
  const { id, human_id } = idsMeant(query);
  const found = [
    id === null ? null : await records.find(id, { deleted: true }),
    human_id === null || !shortIds ? null : await records.one({ human_id }),
  ].filter((record) => record !== null);
  if (found.length === 0) return text;
  return { company, $and: [{ $or: [{ _id: { $in: found.map((record) => record._id) } }, text] }] };
}

/** Matches records whose search_text contains the text; `company` stands where the index has it. */
export function containing(query: string, company: Id): Filter {
  const literal = query.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&');
  const text = { search_text: { $regex: literal } };
  if (query.length < GRAM_LENGTH) return { company, ...text };
  return { search_grams: { $all: askedGrams(query) }, company, ...text };
}

/** The id, or the short id, that the text may be as a whole. */
export function idsMeant(query: string): { id: Id | null; human_id: string | null } {
  return {
    id: isIdText(query) ? parseId(query) : null,
    human_id: /^[0-9a-z]{6}$/.test(query) ? query.toUpperCase() : null,
  };
}
