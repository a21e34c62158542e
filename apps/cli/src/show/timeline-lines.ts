import { minorText, toMinor } from '@commerce/kernel';

import { grid } from '../output/grid.js';
import { dateText, type TimelineEntry } from './timeline.js';

/** Where the reader stands, and how what is shown is written. */
export interface TimelineView {
  readonly timezone: string;
  readonly currency: string;
  readonly now: Date;
}

/** A timeline, with a line between what was and what will be. */
export function timelineLines(entries: readonly TimelineEntry[], view: TimelineView): string[] {
  const { timezone, currency, now } = view;
  const row = ({ at, what, amount, note }: TimelineEntry): (string | null)[] => [
    dateText(at, timezone),
    what,
    amount === null ? null : amountText(amount, currency),
    note,
  ];
  const past = entries.filter(({ at }) => at <= now);
  const ahead = entries.filter(({ at }) => at > now);
  const rows = [...past.map(row), [dateText(now, timezone), '── now ──', null, null], ...ahead.map(row)];
  return grid([`when (${timezone})`, 'what', { head: 'amount', align: 'right' }, ''], rows);
}

/** An amount in major units, for people. */
export function amountText(amount: number, currency: string): string {
  return minorText(toMinor(amount, currency), currency);
}
