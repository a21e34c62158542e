import { createBody, updateBody } from '@commerce/platform';

import { UserRecord } from './user.record.js';

export class CreateUserBody extends createBody(UserRecord, [
  'name',
  'email',
  'external_reference',
  'timezone',
  'metadata',
  'test_clock',
]) {}

/** A user stays on its test clock, or on none, for good: moving it would tear its dates apart. */
export class UpdateUserBody extends updateBody(UserRecord, [
  'name',
  'email',
  'external_reference',
  'timezone',
  'metadata',
]) {}
