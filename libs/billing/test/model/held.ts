import { priceOfDate, type Held } from './cost.js';
import { isMore } from './fraction.js';
import type { Period, Subscription } from './subscription.js';
import { dateOf } from './wall.js';

/** All that the cost of a period depends on. */
export function heldIn(it: Subscription, period: Period): Held {
  // What a resume began counts for the period that it broke off once it is settled with it.
  const isKnown = ({ era, start }: Period): boolean =>
    era !== period.era && (start <= period.start || period.isJoined || !period.era.isResumed);
  const rivals = it.periods.filter(isKnown);
  const isElsewhere = (day: number): boolean => rivals.some((rival) => isDearer(it, rival, period, day));
  return { ...alone(it, period), isElsewhere };
}

/** As if no other calendar had a day of it. */
function alone(it: Subscription, period: Period): Held {
  const { company, spans } = it;
  const { start, end } = period;
  const cut = it.cutOf(period);
  const whole = (name: string) => it.whole(period, name, cut);
  const uncut = (name: string) => it.whole(period, name, null).price;
  const until = it.servedUntil(period);
  return { start, end, cut, until, spans, whole, uncut, ...company, isElsewhere: () => false };
}

/** Whether a date that two calendars have is paid for in the other: at the dearer price, or else in the earlier. */
function isDearer(it: Subscription, rival: Period, period: Period, day: number): boolean {
  const { zone } = it.company;
  if (dateOf(zone, rival.start) !== day && dateOf(zone, it.endOf(rival) - 1) !== day) return false;
  const theirs = priceOfDate(alone(it, rival), day);
  const ours = priceOfDate(alone(it, period), day);
  if (theirs === null || ours === null) return false;
  return isMore(theirs, ours) || (!isMore(ours, theirs) && rival.start < period.start);
}
