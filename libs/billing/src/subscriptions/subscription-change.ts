import type { EventKind } from '@commerce/kernel';
import type { Id, UnitOfWork } from '@commerce/platform';

import type { SubscriptionRecord } from './subscription.record.js';
import type { SubscriptionStore } from './subscription.store.js';

/** What time it is: `reached` for the customer, on the test clock where there is one, and `real` for the sweeps. */
export interface Instants {
  readonly reached: Date;
  readonly real: Date;
}

/** Changes of a record, and the event that tells of them; null for the plain one. */
export interface RecordChange {
  readonly changes: Partial<SubscriptionRecord>;
  readonly event: EventKind | null;
}

/**
 * When a sweep must look at a subscription that is due then; null for never. In real time that is the due date. A
 * test clock stands still: what it has reached is due at once, and advancing it finds the rest.
 */
export function wakeAt(due: Date | null, testClock: Id | null, { reached, real }: Instants): Date | null {
  if (due === null || testClock === null) return due;
  return due <= reached ? real : null;
}

/**
 * Adds changes, one after the other, to a unit of work. Those that need no event of their own are written as one.
 * Returns the subscription as it will be.
 */
export function writeChange(
  work: UnitOfWork,
  store: SubscriptionStore,
  before: SubscriptionRecord,
  instants: Instants,
  ...all: readonly RecordChange[]
): SubscriptionRecord {
  return joined(all).reduce((subscription, { changes, event }) => {
    const due = changes.due === undefined ? subscription.due : changes.due;
    const wake_at = wakeAt(due, subscription.test_clock, instants);
    const kind = event ?? 'subscription.updated';
    return work.update(store, subscription, { ...changes, wake_at, failures: 0 }, kind);
  }, before);
}

/** As few changes as their events allow: what only updates goes with its neighbour. */
function joined(all: readonly RecordChange[]): RecordChange[] {
  const result: RecordChange[] = [];
  for (const one of all) {
    const last = result.at(-1);
    if (last === undefined || (isNamed(last.event) && isNamed(one.event))) {
      result.push(one);
    } else {
      const event = isNamed(one.event) ? one.event : last.event;
      result[result.length - 1] = { changes: { ...last.changes, ...one.changes }, event };
    }
  }
  return result;
}

function isNamed(event: EventKind | null): boolean {
  return event !== null && event !== 'subscription.updated';
}
