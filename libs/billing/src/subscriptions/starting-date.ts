import { fieldFault } from '@commerce/kernel';
import type { Caller } from '@commerce/data';

const HOUR_MS = 3_600_000;

/** The earliest start, counted back from now: the time passed since then is charged immediately. */
const USERS = { ms: 24 * HOUR_MS, text: '24 hours' };
const ADMINS = { ms: 366 * 24 * HOUR_MS, text: '366 days' };

/** @throws Fault `value.invalid` for a start further back than this caller may set */
export function requireRecentStart(
  { role }: Pick<Caller, 'role'>,
  starting_date: Date | null | undefined,
  now: Date,
): void {
  if (!starting_date) return;
  const most = role === 'admin' ? ADMINS : USERS;
  if (now.getTime() - starting_date.getTime() <= most.ms) return;
  throw fieldFault('starting_date', `starting_date must be at most ${most.text} in the past`);
}
