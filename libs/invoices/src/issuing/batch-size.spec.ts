import { BatchSize } from './batch-size.js';

function after(...batches: readonly (readonly [documents: number, lines: number])[]): number {
  const size = new BatchSize();
  for (const [documents, lines] of batches) size.note(documents, lines);
  return size.next;
}

describe('the size of a batch of documents', () => {
  it('is small before their lengths are known', () => {
    expect(after()).toBe(20);
    expect(after([0, 0])).toBe(20);
  });

  it('follows the lengths of the documents before', () => {
    expect(after([20, 20])).toBe(200);
    expect(after([20, 60])).toBe(200);
    expect(after([20, 2000])).toBe(40);
    expect(after([20, 2000], [40, 40])).toBe(200);
  });

  it('is one at least', () => {
    expect(after([20, 200_000])).toBe(1);
  });
});
