import { Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { fault } from '@commerce/kernel';
import type { Caller, UnitOfWork } from '@commerce/data';

import type { UserRecord } from './user.record.js';
import { UsesUsers, type RunningUsages } from './user-usage.js';
import type { DeleteUserQuery } from './users.dto.js';
import { Users } from './users.service.js';

/** Number of subscriptions that a refusal names. */
const NAMED = 10;

/** Number of subscriptions that one commit stops. */
const STOPS_PER_COMMIT = 50;

/** Deletes users without running subscriptions or other uses. */
@Injectable()
export class UserDeleter {
  constructor(
    private readonly users: Users,
    private readonly discovery: DiscoveryService,
  ) {}

  /**
   * Deletes a user. With `stop`, running subscriptions are stopped in batches, and the user is deleted in the commit of
   * the last batch, so that a repetition finishes after a crash.
   * @throws Fault `user.in_use` with the running subscriptions, unless they are stopped
   */
  async delete(caller: Caller, id: string, { stop }: DeleteUserQuery): Promise<UserRecord> {
    for (;;) {
      const after = await this.users.delete(caller, id, async (before, work) => {
        if (stop) return this.stopAll(work, before);
        requireUnused(await this.runningOf(before));
        return true;
      });
      if (after.deleted) return after;
    }
  }

  /** False: others are left for the next commit. */
  private async stopAll(work: UnitOfWork, user: UserRecord): Promise<boolean> {
    let isAll = true;
    for (const usage of UsesUsers.in(this.discovery))
      if (!(await usage.stop(work, user, STOPS_PER_COMMIT))) isAll = false;
    return isAll;
  }

  private async runningOf(user: UserRecord): Promise<RunningUsages> {
    const usages = UsesUsers.in(this.discovery);
    const all = await Promise.all(usages.map((usage) => usage.running(user, NAMED)));
    const ids = all.flatMap((one) => one.ids).slice(0, NAMED);
    return { ids, total: all.reduce((sum, one) => sum + one.total, 0) };
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
