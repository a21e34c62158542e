import type { Id } from '@commerce/records';

/** The items of an iterable in arrays of `size`; the last one may be shorter. */
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

/** Rows by one of their ids, groups and rows in the order in which they come first. */
export function groupById<T>(rows: readonly T[], idOf: (row: T) => Id): [Id, T[]][] {
  const groups = new Map<string, [Id, T[]]>();
  for (const row of rows) {
    const id = idOf(row);
    const group = groups.get(id.toHexString());
    if (group === undefined) groups.set(id.toHexString(), [id, [row]]);
    else group[1].push(row);
  }
  return [...groups.values()];
}

/** Rows by the company that owns them. */
export function groupByCompany<T extends { readonly company: Id }>(rows: readonly T[]): [Id, T[]][] {
  return groupById(rows, ({ company }) => company);
}
