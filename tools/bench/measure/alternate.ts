import { compare, type Comparison, type Pair, type Round } from './summary.js';

export type SideName = 'ours' | 'bare';

type Side = () => Promise<Round>;

export interface Pairs {
  /** Pairs that count. */
  readonly rounds: number;
  /** One round of each side; `first` begins. */
  readonly pair: (first: SideName) => Promise<Pair>;
  readonly say: (text: string) => void;
}

/**
 * Runs the two sides in turns, each first in every other pair, and discards the first pair: it warms up caches and
 * compilers.
 */
export async function alternate({ rounds, pair, say }: Pairs): Promise<Comparison> {
  const pairs: Pair[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const one = await pair(round % 2 === 0 ? 'ours' : 'bare');
    pairs.push(one);
    const [a, b] = [one.ours.rate, one.bare.rate];
    const label = round === 0 ? 'warm-up' : `round ${String(round)} of ${String(rounds)}`;
    say(`${label}: ${a.toFixed(0)}/s against ${b.toFixed(0)}/s, ${(a / b).toFixed(2)}`);
  }
  return compare(pairs.slice(1));
}

/** A pair whose second side begins when the first has ended. */
export function oneAfterTheOther(ours: Side, bare: Side): Pairs['pair'] {
  return async (first) => {
    if (first === 'ours') {
      const round = await ours();
      return { ours: round, bare: await bare() };
    }
    const round = await bare();
    return { ours: await ours(), bare: round };
  };
}
