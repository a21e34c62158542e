import type { Id } from './fields/id.js';

/** A filter on fields, built from typed values only: never from what a request carries as an object. */
export type Filter = Record<string, unknown>;

/** A validated list query. */
export interface PageQuery {
  readonly size: number;
  readonly page: number;
  readonly after: Id | null;
  readonly sort: { readonly field: string; readonly direction: 1 | -1 };
  readonly filter: Filter;
}

export interface Page<R> {
  readonly records: readonly R[];
  readonly total: number;
  readonly query: PageQuery;
}
