import type { Page } from '@commerce/data';
import type { Id, OwnedRecord, PageQuery } from '@commerce/records';

/** The reading of a list, and the filter for its records. */
export interface WalkedList<R extends OwnedRecord> {
  readonly read: (query: PageQuery) => Promise<Page<R>>;
  readonly matching: (records: readonly R[]) => Promise<readonly R[]>;
}

/** Walks a list in its order until a page of matching records is full, keeping the records of that page only. */
export class ListWalk<R extends OwnedRecord> {
  private readonly found: R[] = [];
  private after: Id | null;
  private toSkip: number;
  private isAtEnd = false;

  constructor(
    private readonly list: WalkedList<R>,
    private readonly page: PageQuery,
  ) {
    this.after = page.after;
    this.toSkip = page.after === null ? page.page * page.size : 0;
  }

  /** Whether the page is full or the list has ended. */
  get isDone(): boolean {
    return this.isAtEnd || this.hasMore;
  }

  get hasMore(): boolean {
    return this.found.length > this.page.size;
  }

  get records(): readonly R[] {
    return this.found.slice(0, this.page.size);
  }

  /** Reads the next `size` records of the list. */
  async look(size: number): Promise<void> {
    const query = { ...this.page, after: this.after, page: 0, size, total: false };
    const { records, hasMore } = await this.list.read(query);
    const matching = await this.list.matching(records);
    const kept = matching.slice(this.toSkip, this.toSkip + this.page.size + 1 - this.found.length);
    this.toSkip = Math.max(0, this.toSkip - matching.length);
    this.found.push(...kept);
    this.after = records.at(-1)?._id ?? null;
    this.isAtEnd = !hasMore || this.after === null;
  }
}
