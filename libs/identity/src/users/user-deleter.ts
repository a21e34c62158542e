import { Injectable } from '@nestjs/common';
import { fault } from '@commerce/kernel';
import type { Caller } from '@commerce/data';

import type { UserRecord } from './user.record.js';
import { UserUsages, type RunningUsages } from './user-usages.js';
import type { DeleteUserQuery } from './users.dto.js';
import { Users } from './users.service.js';

/** How many subscriptions a refusal names. */
const NAMED = 10;

/** How many subscriptions one commit stops. */
const STOPS_PER_COMMIT = 50;

/** Deletes users for whom nothing runs any more. */
@Injectable()
export class UserDeleter {
  constructor(
    private readonly users: Users,
    private readonly usages: UserUsages,
  ) {}

  /**
   * With `stop` all that runs is stopped, in the commit of the deletion as far as one commit holds it. The user goes
   * with the last of it, so that a repetition finishes what a crash has left.
   * @throws Fault `user.in_use` with what runs, unless it is stopped
   */
  async delete(caller: Caller, id: string, { stop }: DeleteUserQuery): Promise<UserRecord> {
    for (;;) {
      const after = await this.users.delete(caller, id, async (before, work) => {
        if (stop) return this.usages.stop(work, before, STOPS_PER_COMMIT);
        requireUnused(await this.usages.running(before, NAMED));
        return true;
      });
      if (after.deleted) return after;
    }
  }
}

function requireUnused({ ids, total }: RunningUsages): void {
  if (total === 0) return;
  const message = 'Subscriptions of the user are running: stop them first, or delete the user with stop=true';
  throw fault('user.in_use', message, {
    subscriptions: ids.map((id) => id.toHexString()),
    more: total - ids.length,
  });
}
