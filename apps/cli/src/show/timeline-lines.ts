import { minorText, toMinor } from '@commerce/kernel';

import { grid } from '../output/grid.js';
import { dateText, type TimelineEntry } from './timeline.js';

/** The present instant, and the formats of the timeline. */
export interface TimelineView {
  readonly timezone: string;
  readonly currency: string;
  readonly now: Date;
}

/** Formats a timeline, with a line between past and future entries. */
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

/** Formats an amount in major units for people. */
export function amountText(amount: number, currency: string): string {
  return minorText(toMinor(amount, currency), currency);
}
