/** Documents of the first batch of a run, whose lengths are unknown. */
const FIRST = 20;

/** Documents of a batch. */
const MOST = 200;

/** Lines of a batch: those of its documents, and as many of the payments and orders that are read for them. */
const MOST_LINES = 4000;

/**
 * How many documents the next batch of a run has: as many as before, when the documents are as long. Orders may have
 * thousands of lines, and a batch is held in memory and written in one transaction.
 */
export class BatchSize {
  private size = FIRST;

  get next(): number {
    return this.size;
  }

  /** Notes a batch: its documents, and the lines of all of them. */
  note(documents: number, lines: number): void {
    if (documents === 0) return;
    const fitting = Math.floor((MOST_LINES * documents) / Math.max(lines, 1));
    this.size = Math.min(MOST, Math.max(1, fitting));
  }
}
