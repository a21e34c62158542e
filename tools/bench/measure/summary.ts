import type { CpuSeconds } from './cpu.js';

/** Milliseconds. */
export interface Latency {
  readonly p50: number;
  readonly p99: number;
}

/** What one side did in one round. */
export interface Round {
  /** Things done in a second. */
  readonly rate: number;
  /** Per 1,000 things. */
  readonly cpu: CpuSeconds;
  readonly latency?: Latency;
}

/** The medians of a side's rounds. */
export interface Summary {
  readonly rate: number;
  readonly cpu: CpuSeconds;
  readonly latency: Latency | null;
}

export interface Comparison {
  readonly ours: Summary;
  readonly bare: Summary;
  readonly ratio: number;
  readonly lowest: number;
  readonly highest: number;
  readonly rounds: number;
}

/** One round of each side. */
export interface Pair {
  readonly ours: Round;
  readonly bare: Round;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? NaN) + upper) / 2;
}

function summaryOf(rounds: readonly Round[]): Summary {
  const cpu = Object.fromEntries(
    Object.keys(rounds[0]?.cpu ?? {}).map((name) => {
      const known = rounds.flatMap((round) => round.cpu[name] ?? []);
      return [name, known.length > 0 ? median(known) : null];
    }),
  );
  const times = rounds.flatMap(({ latency }) => latency ?? []);
  const latency =
    times.length > 0
      ? { p50: median(times.map(({ p50 }) => p50)), p99: median(times.map(({ p99 }) => p99)) }
      : null;
  return { rate: median(rounds.map(({ rate }) => rate)), cpu, latency };
}

/**
 * The two sides of a comparison. The ratio is the median over pairs of neighbouring rounds: a machine that slows down
 * between two pairs slows down both sides of a pair.
 */
export function compare(pairs: readonly Pair[]): Comparison {
  const ratios = pairs.map(({ ours, bare }) => ours.rate / bare.rate);
  return {
    ours: summaryOf(pairs.map(({ ours }) => ours)),
    bare: summaryOf(pairs.map(({ bare }) => bare)),
    ratio: median(ratios),
    lowest: Math.min(...ratios),
    highest: Math.max(...ratios),
    rounds: pairs.length,
  };
}
