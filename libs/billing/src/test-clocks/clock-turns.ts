import { backoffMs } from '@commerce/kernel';
import { groupByCompany } from '@commerce/data';
import { type Id } from '@commerce/records';

/** The longest delay before another run of a clock that made no progress. */
const LONGEST_WAIT_MS = 8000;
const LONGEST_AFTER_FAILURE_MS = 600_000;

/** The delay after a number of consecutive runs without progress. */
export function restMs(why: 'waits' | 'fails', runs: number): number {
  const longestMs = why === 'waits' ? LONGEST_WAIT_MS : LONGEST_AFTER_FAILURE_MS;
  return backoffMs(runs, { firstMs: 1000, longestMs });
}

/** The clocks, each with the number of clocks of its company before it: the first clock of each company goes first. */
export function inTurns<K extends { readonly company: Id }>(clocks: readonly K[]): (K & { turn: number })[] {
  return groupByCompany(clocks)
    .flatMap(([, own]) => own.map((clock, turn) => ({ ...clock, turn })))
    .sort((a, b) => a.turn - b.turn);
}
