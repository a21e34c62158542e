import { databaseTrouble } from '../server/database-trouble.js';
import type { Filter, Id, RecordModel } from '@commerce/records';
import { MAX_COUNTED, MAX_READ_MS, totalOf } from './page.js';
import { dueBy } from './set-values.js';

/** How much work is due now, and since when the oldest of it. */
export interface DueWork {
  /** Exact up to 10,000; null where so much is due, of whomever, that it cannot be counted in time. */
  readonly due: number | null;
  /** Whether counting ended there: more is due. */
  readonly capped: boolean;
  /** Null where nothing is due, and where so much is due that the longest cannot be found in time. */
  readonly since: Date | null;
}

/** The due work of a company, by a date of its records. */
export async function dueWorkOf(model: RecordModel, company: Id, field: string, now: Date): Promise<DueWork> {
  const filter = { [field]: dueBy(now), company };
  const first = model.collection
    .find(filter, { projection: { [field]: 1, _id: 0 }, maxTimeMS: MAX_READ_MS })
    .sort({ [field]: 1 })
    .limit(1)
    .next();
  const [{ count: due, capped }, longest] = await Promise.all([
    countUpTo(model, filter),
    first.catch(nullIfSlow),
  ]);
  const since: unknown = longest?.[field];
  return { due, capped, since: since instanceof Date ? since : null };
}

/** How many records match, as far as people want to know; null where counting takes too long. */
export async function countUpTo(
  model: RecordModel,
  filter: Filter,
): Promise<{ readonly count: number | null; readonly capped: boolean }> {
  const most = { limit: MAX_COUNTED + 1, maxTimeMS: MAX_READ_MS };
  const count = await model.collection.countDocuments(filter, most).catch(nullIfSlow);
  return count === null ? { count, capped: false } : totalOf(count);
}

function nullIfSlow(error: unknown): null {
  if (databaseTrouble(error) === 'slow') return null;
  throw error;
}
