import { isDeleted, isIdText, parseId, type Id, type OwnedRecord } from '@commerce/records';

import type { CompanyRecords } from '../stores/store.js';

/** The text that an admin looks for in all records of a company. */
export interface Sought {
  readonly text: string;
  /** The id, or the short id, that the whole text may be. */
  readonly id: Id | null;
  readonly human_id: string | null;
}

export function soughtBy(text: string): Sought {
  const trimmed = text.trim();
  return {
    text: trimmed,
    id: isIdText(trimmed) ? parseId(trimmed) : null,
    human_id: /^[0-9a-z]{6}$/i.test(trimmed) ? trimmed.toUpperCase() : null,
  };
}

/** The record that the text names by its id or, where its kind has one, by its short id. Deleted ones are left out. */
export async function foundByIds<R extends OwnedRecord>(
  records: CompanyRecords<R>,
  { id, human_id }: Sought,
): Promise<R[]> {
  if (id !== null) {
    const found = await records.find(id);
    return found === null ? [] : [found];
  }
  const found = human_id === null ? null : await records.one({ human_id });
  return found === null || isDeleted(records.store.type, found) ? [] : [found];
}

/** These records without repetitions, the newest first. */
export function newestFirst<R extends OwnedRecord>(found: readonly R[], limit: number): R[] {
  const distinct = [...new Map(found.map((record) => [record._id.toHexString(), record])).values()];
  return distinct.sort((a, b) => Number(b.created) - Number(a.created)).slice(0, limit);
}
