import { toMajor, toMinor } from '@commerce/kernel';
import type { SliceBill } from '../cycle/cycle-amounts.js';
import { sliceKey } from '../cycle/cycle-calendar.js';
import type { Refund } from '../cycle/decision.js';
import type { RunningSlice, StateChanges, SubscriptionState } from '../lifecycle/subscription-state.js';

/** What of a credit is given back now, and the slice after it: done with its cuts when `settled`. */
export interface GivenBack {
  readonly changes: StateChanges;
  readonly slice: RunningSlice;
  readonly refund: Refund | null;
  readonly settled: boolean;
}

/**
 * Gives the unused part of a slice back, one payment at a time: what was never collected is not owed any longer,
 * then comes the money that was, the newest first. What neither covers was never paid and is not given back.
 */
export function giveBack(
  state: SubscriptionState,
  bill: SliceBill,
  before: RunningSlice,
  why: 'pause' | 'stop',
): GivenBack {
  const { currency } = state;
  const credit = 0 - bill.amount_minor;
  const owed = toMinor(before.owed, currency);
  const outstanding = toMinor(state.outstanding_amount, currency);
  const forgiven = Math.min(credit, owed, outstanding);
  const last = before.paid.at(-1);
  const held = last === undefined ? 0 : toMinor(last.amount, currency);
  const amount = Math.min(credit - forgiven, held);
  const rest = credit - forgiven - amount;
  const paid = before.paid.slice(0, -1);
  if (last !== undefined && held > amount) paid.push({ ...last, amount: toMajor(held - amount, currency) });
  const settled = rest === 0 || paid.length === 0;
  const credited = toMajor(toMinor(before.credited, currency) + forgiven + amount, currency);
  const books = { paid, owed: toMajor(owed - forgiven, currency) };
  return {
    changes: { outstanding_amount: toMajor(outstanding - forgiven, currency) },
    slice: settled ? { ...bill.slice, ...books, credited: 0 } : { ...before, ...books, credited },
    refund:
      last === undefined || amount === 0
        ? null
        : {
            payment: { kind: last.kind, slice: last.slice },
            key: `${why}-${sliceKey(before)}-${bill.slice.settled}`,
            amount_minor: amount,
            reason: why,
          },
    settled,
  };
}
