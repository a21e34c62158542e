import { readFileSync, writeFileSync } from 'node:fs';

import type { Measured, Round } from './measure/compare.js';

/** The largest load average, before anything is started, of a machine without other work. */
const LARGEST_LOAD = 0.5;
/** The largest ratio of a pair may be so many times the lowest. */
const LARGEST_SPREAD = 1.6;

/** The reason not to keep the numbers; null where they may be kept. */
export function unkeptFor(load: number, measured: readonly Measured[]): string | null {
  if (load > LARGEST_LOAD) return `the load was ${load.toFixed(2)} when the run began`;
  const uneven = measured.find(({ lowest, highest }) => highest > LARGEST_SPREAD * lowest);
  return uneven === undefined ? null : `the pairs of "${uneven.what}" differ too much`;
}

/** Replaces the numbers of one benchmark between its marks on the page. */
export function keep(page: string, name: string, numbers: string): void {
  const marks = new RegExp(`(<!-- ${name} -->\n).*?(\n<!-- /${name} -->)`, 's');
  writeFileSync(
    page,
    readFileSync(page, 'utf8').replace(marks, (_all, start, end) => `${start}\n${numbers}\n${end}`),
  );
}

/** A table in Markdown with a line on each ratio, and the facts. */
export function numbersOf(measured: readonly Measured[], facts: Readonly<Record<string, string>>): string {
  const columns = Object.keys(measured[0]?.ours ?? {});
  const head = columns.map((name) => (name === 'rate' ? `${measured[0]?.unit ?? ''} a second` : name));
  const rows = measured.flatMap(({ what, ours, bare }) => [
    [`${what}, ours`, ...columns.map((name) => figure(ours, name))],
    [`${what}, bare`, ...columns.map((name) => figure(bare, name))],
  ]);
  return [
    line(['', ...head]),
    line(['---', ...columns.map(() => '--:')]),
    ...rows.map(line),
    '',
    ...measured.map((one) => `- ${ratioLine(one)}`),
    '',
    ...Object.entries(facts).map(([name, value]) => `- ${name}: ${value}`),
  ].join('\n');
}

const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

function figure(round: Round, name: string): string {
  const value = round[name] ?? NaN;
  if (Number.isNaN(value)) return '?';
  return name === 'rate'
    ? Math.round(value).toLocaleString('en-US')
    : value.toFixed(name.endsWith('ms') ? 1 : 3);
}

function ratioLine({ what, aim, ratio, lowest, highest }: Measured): string {
  const reached = `aim ${aim.toFixed(2)}, ${ratio >= aim ? 'reached' : 'missed'}`;
  return `${what}: **${ratio.toFixed(2)}** of the bare loop (${lowest.toFixed(2)} to ${highest.toFixed(2)}); ${reached}`;
}
