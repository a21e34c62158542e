import { compare, type Comparison, type Pair, type Round } from './summary.js';

type Side = () => Promise<Round>;

export interface Sides {
  /** Pairs that count. */
  readonly rounds: number;
  readonly ours: Side;
  readonly bare: Side;
  readonly say: (text: string) => void;
}

/**
 * Runs the two sides in turns, each first in every other pair, and discards the first pair: it warms up caches and
 * compilers.
 */
export async function alternate({ rounds, ours, bare, say }: Sides): Promise<Comparison> {
  const pairs: Pair[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const pair = round % 2 === 0 ? await oursFirst(ours, bare) : await bareFirst(ours, bare);
    pairs.push(pair);
    const [a, b] = [pair.ours.rate, pair.bare.rate];
    const label = round === 0 ? 'warm-up' : `round ${String(round)} of ${String(rounds)}`;
    say(`${label}: ${a.toFixed(0)}/s against ${b.toFixed(0)}/s, ${(a / b).toFixed(2)}`);
  }
  return compare(pairs.slice(1));
}

async function oursFirst(ours: Side, bare: Side): Promise<Pair> {
  const first = await ours();
  return { ours: first, bare: await bare() };
}

async function bareFirst(ours: Side, bare: Side): Promise<Pair> {
  const first = await bare();
  return { ours: await ours(), bare: first };
}
