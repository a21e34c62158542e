/**
 * What a benchmark found.
 *
 * @typedef {object} Measured
 * @property {string} what
 * @property {string} unit what is counted
 * @property {number} aim the ratio that we want to reach
 * @property {ReturnType<typeof import('../measure/summary.mjs').compare>} result
 */

const whole = (value) => Math.round(value).toLocaleString('en-US');
const decimals = (value, digits) => (value === null || value === undefined ? '?' : value.toFixed(digits));

/** @param {Measured} measured */
export function ratioLine({ what, aim, result }) {
  const { ratio, lowest, highest, rounds } = result;
  const verdict = ratio >= aim ? 'reached' : 'missed';
  return `${what}: ${ratio.toFixed(2)} of the bare loop (${rounds} rounds, ${lowest.toFixed(2)} to ${highest.toFixed(2)}); aim ${aim.toFixed(2)}, ${verdict}`;
}

/**
 * A table in Markdown, readable as plain text too.
 *
 * @param {Measured[]} measured of one benchmark
 */
export function tableOf(measured) {
  const [{ result, unit }] = measured;
  const processes = Object.keys(result.ours.cpu);
  const head = ['', `${unit} a second`];
  if (result.ours.latency) head.push('median ms', '99 % ms');
  head.push(...processes.map((name) => `${name}: CPU s per 1,000`), 'ratio', 'aim');
  const rows = measured.flatMap(({ what, aim, result: { ours, bare, ratio } }) => [
    row(`${what}, ours`, ours, processes, [`**${ratio.toFixed(2)}**`, `≥ ${aim}`]),
    row(`${what}, bare`, bare, processes, ['', '']),
  ]);
  return aligned([head, ...rows]);
}

function row(label, side, processes, end) {
  const latency = side.latency ? [decimals(side.latency.p50, 1), decimals(side.latency.p99, 1)] : [];
  return [
    label,
    whole(side.rate),
    ...latency,
    ...processes.map((name) => decimals(side.cpu[name], 3)),
    ...end,
  ];
}

function aligned(rows) {
  const widths = rows[0].map((_, column) => Math.max(3, ...rows.map((cells) => cells[column].length)));
  const line = (cells) =>
    `| ${cells.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column]))).join(' | ')} |`;
  const rule = `|${widths.map((width, column) => (column === 0 ? '-'.repeat(width + 2) : `${'-'.repeat(width + 1)}:`)).join('|')}|`;
  return [line(rows[0]), rule, ...rows.slice(1).map(line)].join('\n');
}
