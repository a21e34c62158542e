import type { Id } from './fields/id.js';
import type { RecordModel } from './models.js';
import { MAX_COUNTED, MAX_READ_MS } from './page.js';
import { dueBy } from './set-values.js';

/** What waits to be done now, and since when the longest of it has waited. */
export interface DueWork {
  /** Exact up to 10,000. */
  readonly due: number;
  readonly since: Date | null;
}

/** What of a company is due by a date of its records. */
export async function dueWorkOf(model: RecordModel, company: Id, field: string, now: Date): Promise<DueWork> {
  const filter = { [field]: dueBy(now), company };
  const [due, [longest]] = await Promise.all([
    model.collection.countDocuments(filter, { limit: MAX_COUNTED, maxTimeMS: MAX_READ_MS }),
    model.collection
      .find(filter, { projection: { [field]: 1, _id: 0 }, maxTimeMS: MAX_READ_MS })
      .sort({ [field]: 1 })
      .limit(1)
      .toArray(),
  ]);
  const since: unknown = longest?.[field];
  return { due, since: since instanceof Date ? since : null };
}
