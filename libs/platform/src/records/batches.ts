import type { Id } from './fields/id.js';

/** What an iterable gives, in arrays of `size`; the last one may be shorter. */
export async function* inBatches<T>(all: AsyncIterable<T>, size: number): AsyncGenerator<T[]> {
  let batch: T[] = [];
  for await (const one of all) {
    batch.push(one);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** Rows by the company that owns them, companies and rows in the order in which they come first. */
export function groupByCompany<T extends { readonly company: Id }>(rows: readonly T[]): [Id, T[]][] {
  const groups = new Map<string, [Id, T[]]>();
  for (const row of rows) {
    const key = row.company.toHexString();
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row.company, [row]]);
    else group[1].push(row);
  }
  return [...groups.values()];
}
