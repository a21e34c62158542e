import { useInfiniteQuery } from '@tanstack/react-query';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, useState, type ReactNode, type RefObject } from 'react';

import { T } from '../texts';
import { Note, Trouble } from '../ui/parts';

const PAGE = 50;
const ROW_PX = 49;
/** The next page is requested this many rows before the end. */
const AHEAD = 20;

export interface Column<R> {
  readonly title: string;
  readonly show: (record: R) => ReactNode;
  readonly align?: 'right';
  /** Hidden on a phone. */
  readonly minor?: boolean;
}

interface Identified {
  readonly _id: string;
}

export interface PageQuery {
  readonly size: number;
  readonly after?: string;
}

/** A full reply ends at 4 MiB, whatever its number of records. */
const HEAVY = 1024 * 1024;

/** Whether no page follows: a page with fewer records than it may have, unless it is so large that it was cut. */
export function isLastPage(page: readonly unknown[], size: number): boolean {
  if (page.length === 0) return true;
  return page.length < size && JSON.stringify(page).length < HEAVY;
}

interface RecordListProps<R> {
  readonly title: string;
  readonly of: readonly unknown[];
  readonly columns: readonly Column<R>[];
  readonly load: (page: PageQuery) => Promise<readonly R[]>;
  readonly empty: ReactNode;
}

/** A list of any length: pages are requested as they come into sight, and only rows in sight are in the document. */
export function RecordList<R extends Identified>(props: RecordListProps<R>): ReactNode {
  const { of, load, empty } = props;
  const asked = useInfiniteQuery({
    queryKey: of,
    queryFn: ({ pageParam }) => load(pageParam === null ? { size: PAGE } : { size: PAGE, after: pageParam }),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => (isLastPage(last, PAGE) ? null : (last.at(-1)?._id ?? null)),
    // Reloading a hundred pages after a change of window would help nobody.
    refetchOnWindowFocus: false,
  });
  const rows = asked.data?.pages.flat() ?? [];
  if (asked.isPending) return <Note>{T.loading}</Note>;
  if (asked.error !== null && rows.length === 0) return <Trouble error={asked.error} />;
  if (rows.length === 0) return <Note>{empty}</Note>;
  const more = (): void => {
    if (asked.hasNextPage && !asked.isFetchingNextPage && asked.error === null)
      asked.fetchNextPage({ cancelRefetch: false }).catch(ignore);
  };
  return <Rows {...props} rows={rows} isWhole={!asked.hasNextPage} more={more} />;
}

/** The list itself shows the error. */
function ignore(): void {
  return undefined;
}

interface RowsProps<R> extends RecordListProps<R> {
  readonly rows: readonly R[];
  readonly isWhole: boolean;
  readonly more: () => void;
}

function Rows<R extends Identified>({ title, columns, rows, isWhole, more }: RowsProps<R>): ReactNode {
  const place = useRef<HTMLDivElement>(null);
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => ROW_PX,
    overscan: 12,
    scrollMargin: useTop(place),
  });
  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (last >= rows.length - AHEAD) more();
  }, [last, rows.length, more]);
  const margin = virtual.options.scrollMargin;
  const before = (items[0]?.start ?? margin) - margin;
  const after = virtual.getTotalSize() - ((items.at(-1)?.end ?? margin) - margin);
  return (
    <div ref={place} className="table-frame">
      <table aria-label={title} aria-rowcount={isWhole ? rows.length + 1 : -1}>
        <Head columns={columns} />
        <tbody>
          <Space height={before} columns={columns.length} />
          {items.map(({ index }) => {
            const record = rows[index];
            return record === undefined ? null : (
              <Row key={record._id} {...{ index, record, columns }} measure={virtual.measureElement} />
            );
          })}
          <Space height={after} columns={columns.length} />
        </tbody>
      </table>
    </div>
  );
}

/** The offset of the list on the page, from which rows are placed. */
function useTop(place: RefObject<HTMLElement | null>): number {
  const [top, setTop] = useState(0);
  useEffect(() => {
    if (place.current !== null) setTop(place.current.getBoundingClientRect().top + scrollY);
  }, [place]);
  return top;
}

export function Head<R>({ columns }: { readonly columns: readonly Column<R>[] }): ReactNode {
  return (
    <thead>
      <tr>
        {columns.map((column) => (
          <th key={column.title} scope="col" className={classOf(column)}>
            {column.title}
          </th>
        ))}
      </tr>
    </thead>
  );
}

interface RowProps<R> {
  readonly index: number;
  readonly record: R;
  readonly columns: readonly Column<R>[];
  /** Tells the list how high the row is, which depends on the width of the page. */
  readonly measure?: (row: HTMLTableRowElement | null) => void;
}

export function Row<R>({ index, record, columns, measure }: RowProps<R>): ReactNode {
  return (
    <tr ref={measure} data-index={index} aria-rowindex={index + 2}>
      {columns.map((column) => (
        <td key={column.title} className={classOf(column)}>
          {column.show(record)}
        </td>
      ))}
    </tr>
  );
}

function Space({ height, columns }: { readonly height: number; readonly columns: number }): ReactNode {
  if (height <= 0) return null;
  return (
    <tr aria-hidden="true" className="space">
      <td colSpan={columns} style={{ height }} />
    </tr>
  );
}

function classOf<R>({ align, minor = false }: Column<R>): string {
  return [align === 'right' ? 'right' : '', minor ? 'minor' : ''].join(' ').trim();
}
