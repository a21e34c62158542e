import Table from 'cli-table3';

import { visible } from './visible.js';

/** A column of a grid. */
export interface Column {
  readonly head: string;
  readonly align?: 'left' | 'right';
}

type Cell = string | number | null;

/** The minimum width of a folded column. */
const NARROWEST = 24;

const GAP = '  ';

const BORDERS = ['top', 'top-mid', 'top-left', 'top-right', 'bottom', 'bottom-mid', 'bottom-left'];
const MORE_BORDERS = ['bottom-right', 'left', 'left-mid', 'mid', 'mid-mid', 'right', 'right-mid'];
const NO_BORDERS = Object.fromEntries([...BORDERS, ...MORE_BORDERS].map((name) => [name, '']));

/**
 * Formats rows under their headings, no wider than the terminal: the widest columns are folded. Output to a file or
 * another program is not folded.
 */
export function grid(
  columns: readonly (Column | string)[],
  rows: readonly (readonly Cell[])[],
  width: number = process.stdout.isTTY ? process.stdout.columns : Infinity,
): string[] {
  const heads = columns.map((column): Column => (typeof column === 'string' ? { head: column } : column));
  const cells = rows.map((row) => row.map((cell) => (cell === null ? '' : visible(String(cell)))));
  const natural = heads.map(({ head }, index) =>
    Math.max(head.length, ...cells.map((row) => row[index]?.length ?? 0)),
  );
  const table = new Table({
    head: heads.map(({ head }) => head),
    colAligns: heads.map(({ align }) => align ?? 'left'),
    colWidths: fitted(natural, width - GAP.length * (heads.length - 1)),
    wordWrap: true,
    chars: { ...NO_BORDERS, middle: GAP },
    style: { head: [], border: [], compact: true, 'padding-left': 0, 'padding-right': 0 },
  });
  table.push(...cells);
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd());
}

/** Takes the excess from the widest columns; null leaves a column unchanged. */
function fitted(natural: readonly number[], room: number): (number | null)[] {
  const widths = [...natural];
  for (;;) {
    const excess = widths.reduce((sum, one) => sum + one, 0) - room;
    const widest = widths.indexOf(Math.max(...widths));
    const before = widths[widest] ?? 0;
    if (excess <= 0 || before <= NARROWEST) break;
    const next = Math.max(NARROWEST, ...widths.filter((one) => one < before));
    widths[widest] = Math.max(next === before ? NARROWEST : next, before - excess);
  }
  return widths.map((one, index) => (one === natural[index] ? null : one));
}
