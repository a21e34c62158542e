import { makeRecord, newId } from '@commerce/platform';

import { SubscriptionRecord } from './subscription.record.js';

/** What of the record is no matter of its state. */
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
  'wake_at',
  'failures',
  'deleted',
  'updated',
] as const satisfies readonly (keyof SubscriptionRecord)[];

/** The fields of the record that hold the state: all that are not named above. */
export type StoredState = Omit<SubscriptionRecord, (typeof OTHER_FIELDS)[number]>;

/** What a record holds of which nothing is known yet: the defaults of its fields. */
export const BLANK = blank();

function blank(): StoredState {
  const record = makeRecord(SubscriptionRecord, { company: newId() }, new Date(0));
  const others: readonly string[] = OTHER_FIELDS;
  return Object.fromEntries(
    Object.entries(record).filter(([name]) => !others.includes(name)),
  ) as unknown as StoredState;
}
