import { CSV_MARK, csvRow } from 'commerce-service-csv';
import { useEffect, useRef, useState, type ReactNode } from 'react';

import { now } from '../../app/clock';
import { count, words } from '../../app/format';
import { T } from '../../texts';
import { Button, Trouble } from '../../ui/parts';
import { isLastPage, type PageQuery } from '../record-list';
import { saveFile } from './save-file';

/** The maximum size of a page. */
const PAGE = 100;

interface ExportButtonProps<R> {
  /** The beginning of the file's name. */
  readonly name: string;
  readonly fields: readonly string[];
  /** Reads a page of the list, as the list itself does. */
  readonly load: (page: PageQuery) => Promise<readonly R[]>;
}

type Progress =
  | { readonly is: 'reading'; readonly rows: number }
  | { readonly is: 'done'; readonly rows: number }
  | { readonly is: 'stopped' }
  | { readonly is: 'failed'; readonly error: Error };

/**
 * Saves the whole list as a file of comma-separated values. It reads page by page and keeps the text of each in a Blob,
 * outside the memory of scripts, so that a long list costs no more than a short one.
 */
export function ExportButton<R extends { readonly _id: string }>(props: ExportButtonProps<R>): ReactNode {
  const [progress, setProgress] = useState<Progress | null>(null);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const start = async (): Promise<void> => {
    const stopping = new AbortController();
    running.current = stopping;
    const show = (one: Progress): void => {
      if (running.current === stopping) setProgress(one);
    };
    show({ is: 'reading', rows: 0 });
    try {
      const parts = await read(props, stopping.signal, (rows) => show({ is: 'reading', rows }));
      if (parts === null) show({ is: 'stopped' });
      else {
        save(parts.blobs, props.name);
        show({ is: 'done', rows: parts.rows });
      }
    } catch (error) {
      show({ is: 'failed', error: error instanceof Error ? error : new Error(String(error)) });
    }
  };
  return (
    <>
      {progress?.is === 'reading' ? (
        <Button onClick={() => running.current?.abort()}>{T.export.stop}</Button>
      ) : (
        <Button onClick={() => void start().catch(() => undefined)}>{T.export.button}</Button>
      )}
      <span role="status" className="quiet small">
        {progress !== null && textOf(progress)}
      </span>
      {progress?.is === 'failed' && <Trouble error={progress.error} />}
    </>
  );
}

function textOf(progress: Progress): string {
  switch (progress.is) {
    case 'reading':
      return T.export.rows(count(progress.rows));
    case 'done':
      return T.export.done(count(progress.rows));
    case 'stopped':
      return T.export.stopped;
    case 'failed':
      return '';
  }
}

/** Reads a list to its end; null once it is stopped. */
async function read<R extends { readonly _id: string }>(
  { fields, load }: ExportButtonProps<R>,
  signal: AbortSignal,
  onRows: (rows: number) => void,
): Promise<{ readonly blobs: Blob[]; readonly rows: number } | null> {
  const blobs = [new Blob([CSV_MARK, csvRow(fields.map(words))])];
  let rows = 0;
  let after: string | undefined;
  for (;;) {
    const page = await load(after === undefined ? { size: PAGE } : { size: PAGE, after });
    if (signal.aborted) return null;
    blobs.push(new Blob(page.map((record) => csvRow(valuesOf(record, fields)))));
    rows += page.length;
    onRows(rows);
    after = page.at(-1)?._id;
    if (isLastPage(page, PAGE) || after === undefined) return { blobs, rows };
  }
}

function valuesOf(record: object, fields: readonly string[]): unknown[] {
  const values = record as Readonly<Record<string, unknown>>;
  return fields.map((field) => values[field]);
}

function save(blobs: readonly Blob[], name: string): void {
  const day = new Date(now()).toISOString().slice(0, 10);
  saveFile(new Blob([...blobs], { type: 'text/csv;charset=utf-8' }), `${name}-${day}.csv`);
}
