import type { UnitOfWork } from '@commerce/data';
import { providerMark } from '@commerce/platform';
import type { Id } from '@commerce/records';

import type { UserRecord } from './user.record.js';

/** Some of the ids, and how many there are in all. */
export interface RunningUsages {
  readonly ids: readonly Id[];
  readonly total: number;
}

/** Something that goes on for a user until it is stopped, such as subscriptions. */
export interface UserUsage {
  /** Those that run, with at most `limit` ids. */
  running(user: UserRecord, limit: number): Promise<RunningUsages>;
  /** Adds the stop of at most `limit` of them to the unit of work. False: others are left. */
  stop(work: UnitOfWork, user: UserRecord, limit: number): Promise<boolean>;
}

/** Marks a provider that goes on for users. */
export const UsesUsers = providerMark<UserUsage>();
