import type { UnitOfWork } from '@commerce/data';
import { providerMark } from '@commerce/platform';
import type { Id } from '@commerce/records';

import type { UserRecord } from './user.record.js';

/** Some of the ids, and the number of all. */
export interface RunningUsages {
  readonly ids: readonly Id[];
  readonly total: number;
}

/** Records that run for a user until they are stopped, such as subscriptions. */
export interface UserUsage {
  /** The running ones, with at most `limit` ids. */
  running(user: UserRecord, limit: number): Promise<RunningUsages>;
  /** Adds the stop of at most `limit` of them to the unit of work. False: others are left. */
  stop(work: UnitOfWork, user: UserRecord, limit: number): Promise<boolean>;
}

/** Marks a provider of records that run for users. */
export const UsesUsers = providerMark<UserUsage>();
