import { backoffMs } from '@commerce/kernel';
import { groupByCompany } from '@commerce/data';
import { type Id } from '@commerce/records';

/** When a clock is run again that could not go on, at the latest. */
const LONGEST_WAIT_MS = 8000;
const LONGEST_AFTER_FAILURE_MS = 600_000;

/** How long a clock rests whose run led nowhere, after so many such runs in a row. */
export function restMs(why: 'waits' | 'fails', runs: number): number {
  const longestMs = why === 'waits' ? LONGEST_WAIT_MS : LONGEST_AFTER_FAILURE_MS;
  return backoffMs(runs, { firstMs: 1000, longestMs });
}

/** The clocks, each with how many others of its company come before it: the first of each company go first. */
export function inTurns<K extends { readonly company: Id }>(clocks: readonly K[]): (K & { turn: number })[] {
  return groupByCompany(clocks)
    .flatMap(([, own]) => own.map((clock, turn) => ({ ...clock, turn })))
    .sort((a, b) => a.turn - b.turn);
}
