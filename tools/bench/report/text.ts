import type { Measured } from '../benchmark.js';
import type { Summary } from '../measure/summary.js';

const whole = (value: number): string => Math.round(value).toLocaleString('en-US');
const decimals = (value: number | null | undefined, digits: number): string =>
  value === null || value === undefined ? '?' : value.toFixed(digits);

/** In one line: the ratio, and whether the aim is reached. */
export function ratioLine({ what, aim, result }: Measured): string {
  const { ratio, lowest, highest, rounds } = result;
  const verdict = aim === null ? '' : `; aim ${aim.toFixed(2)}, ${ratio >= aim ? 'reached' : 'missed'}`;
  const spread = `${String(rounds)} rounds, ${lowest.toFixed(2)} to ${highest.toFixed(2)}`;
  return `${what}: ${ratio.toFixed(2)} of the bare loop (${spread})${verdict}`;
}

/** A table in Markdown of what one benchmark found, readable as plain text too. */
export function tableOf(measured: readonly Measured[]): string {
  const [first] = measured;
  if (first === undefined) return '';
  const { ours } = first.result;
  const processes = Object.keys(ours.cpu);
  const head = ['', `${first.unit} a second`];
  if (ours.latency) head.push('median ms', '99 % ms');
  head.push(...processes.map((name) => `${name}: CPU s per 1,000`), 'ratio', 'aim');
  const rows = measured.flatMap(({ what, aim, result }) => [
    row(`${what}, ours`, result.ours, processes, [
      `**${result.ratio.toFixed(2)}**`,
      aim === null ? '' : `≥ ${String(aim)}`,
    ]),
    row(`${what}, bare`, result.bare, processes, ['', '']),
  ]);
  return aligned(head, rows);
}

function row(label: string, side: Summary, processes: readonly string[], end: readonly string[]): string[] {
  const latency = side.latency ? [decimals(side.latency.p50, 1), decimals(side.latency.p99, 1)] : [];
  const cpu = processes.map((name) => decimals(side.cpu[name], 3));
  return [label, whole(side.rate), ...latency, ...cpu, ...end];
}

/** The first column to the left, numbers to the right. */
function aligned(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(3, ...all.map((cells) => cells[column]?.length ?? 0)));
  const padded = (cells: readonly string[]): string[] =>
    widths.map((width, column) => {
      const cell = cells[column] ?? '';
      return column === 0 ? cell.padEnd(width) : cell.padStart(width);
    });
  const line = (cells: readonly string[]): string => `| ${padded(cells).join(' | ')} |`;
  const rules = widths.map((width, column) =>
    column === 0 ? '-'.repeat(width + 2) : `${'-'.repeat(width + 1)}:`,
  );
  return [line(head), `|${rules.join('|')}|`, ...rows.map(line)].join('\n');
}
