/** @param {readonly number[]} values at least one */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/**
 * What one side did in one round.
 *
 * @typedef {object} Round
 * @property {number} rate things done in a second
 * @property {Record<string, number | null>} cpu seconds of processor time per 1,000 things, by process; null where
 *   the system does not tell
 * @property {{p50: number, p99: number}} [latency] milliseconds
 *
 * @typedef {object} Summary
 * @property {number} rate median
 * @property {Record<string, number | null>} cpu medians
 * @property {{p50: number, p99: number} | null} latency medians
 */

/**
 * @param {readonly Round[]} rounds
 * @returns {Summary}
 */
function summaryOf(rounds) {
  const over = (pick) => median(rounds.map(pick));
  const [first] = rounds;
  const cpu = Object.fromEntries(
    Object.keys(first.cpu).map((name) => {
      const known = rounds.map((round) => round.cpu[name]).filter((seconds) => seconds !== null);
      return [name, known.length > 0 ? median(known) : null];
    }),
  );
  const latency = first.latency
    ? { p50: over((round) => round.latency.p50), p99: over((round) => round.latency.p99) }
    : null;
  return { rate: over((round) => round.rate), cpu, latency };
}

/**
 * The two sides of a comparison. The ratio is the median over pairs of neighbouring rounds: a machine that slows
 * down between two pairs slows down both sides of a pair.
 *
 * @param {readonly Round[]} ours
 * @param {readonly Round[]} bare as many
 * @returns {{ours: Summary, bare: Summary, ratio: number, lowest: number, highest: number, rounds: number}}
 */
export function compare(ours, bare) {
  const ratios = ours.map((round, index) => round.rate / bare[index].rate);
  return {
    ours: summaryOf(ours),
    bare: summaryOf(bare),
    ratio: median(ratios),
    lowest: Math.min(...ratios),
    highest: Math.max(...ratios),
    rounds: ours.length,
  };
}
