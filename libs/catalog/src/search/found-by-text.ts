import { foundByIds, newestFirst, type CompanyRecords, type Sought } from '@commerce/data';
import { isDeleted, type OwnedRecord } from '@commerce/records';

import type { SearchTextStore } from './search-text.store.js';
import type { Searched } from './searched.js';

/** Deleted records, which keep their texts, are left out afterwards. */
const EXTRA = 20;

/** The records whose texts contain the sought one, or that it names; the newest of them first. */
export async function foundByText<R extends OwnedRecord>(
  { kind, texts }: { readonly kind: Searched; readonly texts: SearchTextStore },
  records: CompanyRecords<R>,
  sought: Sought,
  limit: number,
): Promise<R[]> {
  const { store, company } = records;
  const query = { company, kind, query: sought.text.toLowerCase() };
  const [named, ids] = await Promise.all([foundByIds(records, sought), texts.idsOf(query, limit + EXTRA)]);
  const found = [...(await records.byIds(ids)).values()].filter((record) => !isDeleted(store.type, record));
  return newestFirst([...named, ...found], limit);
}
