import type { Id } from '../fields/id.js';

/** A filter on fields, built from typed values only: never from an object in a request. */
export type Filter = Record<string, unknown>;

/** A validated list query. */
export interface PageQuery {
  readonly size: number;
  readonly page: number;
  readonly after: Id | null;
  readonly sort: Sort;
  readonly filter: Filter;
  /** Whether to count the whole list as well. */
  readonly total: boolean;
}

export interface Sort {
  readonly field: string;
  readonly direction: 1 | -1;
}
