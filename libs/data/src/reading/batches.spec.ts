import { groupByCompany, inBatches } from './batches.js';
import { newId } from '@commerce/records';

async function* upTo(last: number): AsyncGenerator<number> {
  for (let number = 1; number <= last; number += 1) yield number;
}

async function batched(last: number, size: number): Promise<number[][]> {
  const batches: number[][] = [];
  for await (const batch of inBatches(upTo(last), size)) batches.push(batch);
  return batches;
}

describe('batches', () => {
  it('hold so many, the last one what is left', async () => {
    expect(await batched(5, 2)).toEqual([[1, 2], [3, 4], [5]]);
    expect(await batched(4, 2)).toEqual([
      [1, 2],
      [3, 4],
    ]);
    expect(await batched(0, 2)).toEqual([]);
  });
});

describe('rows by company', () => {
  it('keep their order, and companies that of their first row', () => {
    const [ours, theirs] = [newId(), newId()];
    const rows = [theirs, ours, theirs].map((company, index) => ({ company, index }));
    expect(groupByCompany(rows)).toEqual([
      [theirs, [rows[0], rows[2]]],
      [ours, [rows[1]]],
    ]);
  });
});
