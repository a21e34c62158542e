import { makeRecord, newId } from '@commerce/platform';

import { SubscriptionRecord } from './subscription.record.js';

/** The fields of the record that are not part of its state. */
const OTHER_FIELDS = [
  '_id',
  'company',
  '_cls',
  'sys',
  'created',
  'user',
  'plan',
  'payment_method',
  'name',
  'method',
  'human_id',
  'note',
  'payments',
  'test_clock',
  'in_session_until',
  'wake_at',
  'failures',
  'deleted',
  'updated',
] as const satisfies readonly (keyof SubscriptionRecord)[];

/** The fields of the record that hold the state: all others. */
export type StoredState = Omit<SubscriptionRecord, (typeof OTHER_FIELDS)[number]>;

/** The state fields of a record to which nothing has happened: their defaults. */
export const BLANK = blank();

function blank(): StoredState {
  const record = makeRecord(SubscriptionRecord, { company: newId() }, new Date(0));
  const others: readonly string[] = OTHER_FIELDS;
  return Object.fromEntries(
    Object.entries(record).filter(([name]) => !others.includes(name)),
  ) as unknown as StoredState;
}
