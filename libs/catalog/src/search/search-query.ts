import {
  Text,
  parseId,
  isIdText,
  type CompanyRecords,
  type Filter,
  type Id,
  type OwnedRecord,
} from '@commerce/platform';

import { GRAM_LENGTH, askedGrams } from './search-grams.js';

/** The text that a search looks for. */
export function SearchText(): PropertyDecorator {
  return Text({ min: 1, max: 128, description: 'part of a text, or a whole id; in any case' });
}

/**
 * Matches records that contain the query, in any case, or whose id or (with `shortIds`) short id it is. The
 * records store what `searchable` makes of their texts.
 */
export async function matching<R extends OwnedRecord>(
  records: CompanyRecords<R>,
  asked: string,
  { shortIds }: { shortIds: boolean },
): Promise<Filter> {
  const { company } = records;
  const query = asked.toLowerCase();
  const text = containing(query, company);
  const { id, human_id } = idsMeant(query);
  const found = [
    id === null ? null : await records.find(id, { deleted: true }),
    human_id === null || !shortIds ? null : await records.one({ human_id }),
  ].filter((record) => record !== null);
  if (found.length === 0) return text;
  return { company, $and: [{ $or: [{ _id: { $in: found.map((record) => record._id) } }, text] }] };
}

/** Matches records whose search_text contains the query. The order of fields is that of the index. */
export function containing(query: string, company: Id): Filter {
  const literal = query.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&');
  const text = { search_text: { $regex: literal } };
  if (query.length < GRAM_LENGTH) return { company, ...text };
  return { search_grams: { $all: askedGrams(query) }, company, ...text };
}

/** The id, or the short id, that the query as a whole may be. */
export function idsMeant(query: string): { id: Id | null; human_id: string | null } {
  return {
    id: isIdText(query) ? parseId(query) : null,
    human_id: /^[0-9a-z]{6}$/.test(query) ? query.toUpperCase() : null,
  };
}
