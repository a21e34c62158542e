import Table from 'cli-table3';

/** A column of a grid. */
export interface Column {
  readonly head: string;
  readonly align?: 'left' | 'right';
}

type Cell = string | number | null;

/** What is left of a column that is wider than the terminal has room for. */
const NARROWEST = 24;

const GAP = '  ';

const BORDERS = ['top', 'top-mid', 'top-left', 'top-right', 'bottom', 'bottom-mid', 'bottom-left'];
const MORE_BORDERS = ['bottom-right', 'left', 'left-mid', 'mid', 'mid-mid', 'right', 'right-mid'];
const NO_BORDERS = Object.fromEntries([...BORDERS, ...MORE_BORDERS].map((name) => [name, '']));

/**
 * Rows under their heads, as wide as the terminal at most: the widest columns are folded. Where the output goes into a
 * file or another program, nothing is.
 */
export function grid(
  columns: readonly (Column | string)[],
  rows: readonly (readonly Cell[])[],
  width: number = process.stdout.isTTY ? process.stdout.columns : Infinity,
): string[] {
  const heads = columns.map((column): Column => (typeof column === 'string' ? { head: column } : column));
  const cells = rows.map((row) => row.map((cell) => (cell === null ? '' : String(cell))));
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

/** Takes from the widest columns what is too much; null leaves a column as it is. */
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
