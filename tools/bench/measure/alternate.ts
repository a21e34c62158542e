import { compare } from './summary.mjs';

/**
 * Runs the two sides in turns, each first in every other pair, and throws the first pair away: it warms up caches
 * and compilers.
 *
 * @param {object} options
 * @param {number} options.rounds pairs that count
 * @param {() => Promise<import('./summary.mjs').Round>} options.ours
 * @param {() => Promise<import('./summary.mjs').Round>} options.bare
 * @param {(text: string) => void} options.say
 */
export async function alternate({ rounds, ours, bare, say }) {
  const sides = { ours, bare };
  const done = { ours: [], bare: [] };
  for (let round = 0; round <= rounds; round += 1) {
    const order = round % 2 === 0 ? ['ours', 'bare'] : ['bare', 'ours'];
    for (const side of order) done[side].push(await sides[side]());
    const [a, b] = [done.ours.at(-1).rate, done.bare.at(-1).rate];
    const label = round === 0 ? 'warm-up' : `round ${round} of ${rounds}`;
    say(`${label}: ${a.toFixed(0)}/s against ${b.toFixed(0)}/s, ${(a / b).toFixed(2)}`);
  }
  return compare(done.ours.slice(1), done.bare.slice(1));
}
