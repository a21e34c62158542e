import type { PageQuery } from '@commerce/records';

/** Reads of people waiting for a list end after this time. */
export const MAX_READ_MS = 1000;

/** Records of a list that are counted at most. */
export const MAX_COUNTED = 10_000;

/** The count of a list. */
export interface Total {
  readonly count: number;
  /** Whether counting ended there: the list has more. */
  readonly capped: boolean;
}

/** The total that a count with the limit MAX_COUNTED + 1 stands for. */
export function totalOf(count: number): Total {
  return { count: Math.min(count, MAX_COUNTED), capped: count > MAX_COUNTED };
}

/** A whole list, read as fast as the caller takes it. */
export interface RecordStream<R> {
  readonly stream: AsyncIterable<R>;
  /** Null where the list was not counted. */
  readonly total: Total | null;
}

/** One page of a list. */
export interface Page<R> {
  readonly records: readonly R[];
  readonly query: PageQuery;
  /** Whether more records follow. */
  readonly hasMore: boolean;
  /** Null where the list was not counted. */
  readonly total: Total | null;
}
