import { hydrate, type OwnedRecord } from '@commerce/records';

import { inBatches } from '../reading/batches.js';
import { walkById } from '../reading/walk-by-id.js';
import type { RecordStore } from '../stores/store.js';
import { WORDS_FIELD } from './word-search.js';

/** Number of records compared, and at most written, in one call. */
const BATCH = 500;

type Worded = OwnedRecord & { readonly search_words: readonly string[] };

/** Number of records that were checked, and of those whose words were missing or stale. */
export interface RewrittenWords {
  readonly looked: number;
  readonly written: number;
}

/**
 * Writes the words of records that have none, or those of an earlier version. It may be stopped and rerun at any time:
 * a record that is changed meanwhile gets its words by that change.
 */
export async function rewriteWords<R extends Worded>(
  { model, type }: RecordStore<R>,
  fields: readonly (keyof R & string)[],
  wordsOfRecord: (record: R) => string[],
  onRecords: (looked: number) => void,
): Promise<RewrittenWords> {
  const wanted = ['company', 'sys', WORDS_FIELD, ...fields];
  const projection = Object.fromEntries(wanted.map((field) => [field, 1 as const]));
  let [looked, written] = [0, 0];
  for await (const batch of inBatches(walkById(model.collection, projection), BATCH)) {
    const stale = batch.flatMap((row) => {
      const before = (row as Readonly<Record<string, unknown>>)[WORDS_FIELD];
      const record = hydrate(type, row);
      const words = wordsOfRecord(record);
      if (Array.isArray(before) && before.join() === words.join()) return [];
      const { _id, company, sys } = record;
      const filter = { _id, company, 'sys.version': sys.version };
      return [{ updateOne: { filter, update: { $set: { [WORDS_FIELD]: words } } } }];
    });
    if (stale.length > 0)
      written += (await model.collection.bulkWrite(stale, { ordered: false })).modifiedCount;
    looked += batch.length;
    onRecords(looked);
  }
  return { looked, written };
}
