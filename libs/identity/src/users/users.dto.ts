import { Flag, Ref, Refs, sortsOf, createBody, listQuery, updateBody, type Id } from '@commerce/records';

import { UserRecord } from './user.record.js';

export class CreateUserBody extends createBody(UserRecord, [
  'name',
  'email',
  'external_reference',
  'timezone',
  'metadata',
  'billing',
  'test_clock',
]) {}

/** A user stays on its test clock, or on none, for good: its dates belong to that clock's time. */
export class UpdateUserBody extends updateBody(UserRecord, [
  'name',
  'email',
  'external_reference',
  'timezone',
  'metadata',
  'billing',
]) {}

export class ListUsersQuery extends listQuery({
  sortable: sortsOf(UserRecord),
  sort: '-created',
  dates: ['created', 'updated'],
  orderedBy: ['ids'],
}) {
  @Refs('user', {
    default: null,
    max: 100,
    description: 'these users only, in the order of their ids, deleted ones included',
  })
  ids: Id[] | null;

  @Ref('test clock', { optional: true, description: 'users on this test clock only' })
  test_clock: Id | null;

  @Flag({ optional: true, description: 'true: users in real time; false: those on test clocks' })
  real_time: boolean | null;
}

export class DeleteUserQuery {
  @Flag({ default: false, description: 'stops the subscriptions of the user that still run' })
  stop: boolean;
}
