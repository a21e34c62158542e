import type { ReactNode } from 'react';

import { Head, Row, type Column } from './record-list';

interface ShortTableProps<R> {
  readonly title: string;
  readonly columns: readonly Column<R>[];
  readonly rows: readonly R[];
}

/** A table of a few rows that are already loaded. */
export function ShortTable<R>({ title, columns, rows }: ShortTableProps<R>): ReactNode {
  return (
    <div className="table-frame">
      <table aria-label={title}>
        <Head columns={columns} />
        <tbody>
          {rows.map((record, index) => (
            <Row key={index} {...{ index, record, columns }} />
          ))}
        </tbody>
      </table>
    </div>
  );
}
