import type { Log } from '#scripts/system/report.mjs';

export type SideName = 'ours' | 'bare';

/** Numbers of one side in one round by the heads of their columns; `rate` counts things done in a second. */
export type Round = Readonly<Record<string, number>> & { readonly rate: number };

/** One round of each side. */
export type Pair = Readonly<Record<SideName, Round>>;

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const [lower = NaN, upper = NaN] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  return (lower + upper) / 2;
}

/** The median of each number. */
export function medians(rounds: readonly Round[]): Round {
  const names = Object.keys(rounds[0] ?? {});
  const entries = names.map((name) => [name, median(rounds.map((round) => round[name] ?? NaN))] as const);
  return Object.fromEntries(entries) as Round;
}

export interface Measured extends Pair {
  readonly what: string;
  /** The things that are counted. */
  readonly unit: string;
  /** The ratio to reach. */
  readonly aim: number;
  readonly ratio: number;
  readonly lowest: number;
  readonly highest: number;
}

/**
 * Compares the two sides in pairs, each first in every other pair. The first pair warms up caches and compilers and does
 * not count. The ratio is the median over pairs, because a machine that slows down between two pairs slows both sides.
 */
export async function compare(
  { scale: { rounds }, log }: { scale: { rounds: number }; log: Log },
  compared: Pick<Measured, 'what' | 'unit' | 'aim'>,
  pair: (first: SideName) => Promise<Pair>,
): Promise<Measured> {
  const pairs: Pair[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const one = await pair(round % 2 === 0 ? 'ours' : 'bare');
    const [a, b] = [one.ours.rate, one.bare.rate];
    const label = round === 0 ? 'warm-up' : `round ${String(round)} of ${String(rounds)}`;
    log(compared.what, `${label}: ${a.toFixed(0)}/s against ${b.toFixed(0)}/s, ${(a / b).toFixed(2)}`);
    if (round > 0) pairs.push(one);
  }
  const ratios = pairs.map(({ ours, bare }) => ours.rate / bare.rate);
  return {
    ...compared,
    ours: medians(pairs.map(({ ours }) => ours)),
    bare: medians(pairs.map(({ bare }) => bare)),
    ratio: median(ratios),
    lowest: Math.min(...ratios),
    highest: Math.max(...ratios),
  };
}

/** A pair whose second side begins when the first has ended. */
export function inTurn(ours: () => Promise<Round>, bare: () => Promise<Round>) {
  return async (first: SideName): Promise<Pair> => {
    const early = first === 'ours' ? await ours() : await bare();
    return first === 'ours' ? { ours: early, bare: await bare() } : { ours: await ours(), bare: early };
  };
}
