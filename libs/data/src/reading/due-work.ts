import { databaseTrouble } from '../server/database-trouble.js';
import type { Id } from '@commerce/records';
import type { RecordModel } from '@commerce/records';
import { MAX_COUNTED, MAX_READ_MS } from './page.js';
import { dueBy } from './set-values.js';

/** How much work is due now, and since when the oldest of it. */
export interface DueWork {
  /** Exact up to 10,000; null where so much is due, of whomever, that it cannot be counted in time. */
  readonly due: number | null;
  /** Null where nothing is due, and where so much is due that the longest cannot be found in time. */
  readonly since: Date | null;
}

/** The due work of a company, by a date of its records. */
export async function dueWorkOf(model: RecordModel, company: Id, field: string, now: Date): Promise<DueWork> {
  const filter = { [field]: dueBy(now), company };
  const counted = model.collection.countDocuments(filter, { limit: MAX_COUNTED, maxTimeMS: MAX_READ_MS });
  const first = model.collection
    .find(filter, { projection: { [field]: 1, _id: 0 }, maxTimeMS: MAX_READ_MS })
    .sort({ [field]: 1 })
    .limit(1)
    .next();
  const [due, longest] = await Promise.all([counted.catch(nullIfSlow), first.catch(nullIfSlow)]);
  const since: unknown = longest?.[field];
  return { due, since: since instanceof Date ? since : null };
}

function nullIfSlow(error: unknown): null {
  if (databaseTrouble(error) === 'slow') return null;
  throw error;
}
