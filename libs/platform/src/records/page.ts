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

/** One page of a list, and how many records the whole has. Where that was not counted, only whether more follow. */
export type Page<R> = { readonly records: readonly R[]; readonly query: PageQuery } & (
  { readonly total: number } | { readonly total: null; readonly hasMore: boolean }
);
