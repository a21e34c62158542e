import { Injectable, type OnModuleInit, type Type } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import type { UnitOfWork } from '@commerce/data';
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

/** Finds the usages among the providers of all modules. */
const USER_USAGES = DiscoveryService.createDecorator();

/** Marks a provider that goes on for users; a module lists it, and nothing else is needed. */
export function UsesUsers() {
  return (usage: Type<UserUsage>): void => {
    USER_USAGES()(usage);
  };
}

/** All usages of users among the providers of this process. */
@Injectable()
export class UserUsages implements OnModuleInit {
  private usages: readonly UserUsage[] = [];

  constructor(private readonly discovery: DiscoveryService) {}

  onModuleInit(): void {
    const found = this.discovery.getProviders({ metadataKey: USER_USAGES.KEY });
    this.usages = found.map(({ instance }) => instance as UserUsage);
  }

  async running(user: UserRecord, limit: number): Promise<RunningUsages> {
    const all = await Promise.all(this.usages.map((usage) => usage.running(user, limit)));
    const ids = all.flatMap((one) => one.ids).slice(0, limit);
    return { ids, total: all.reduce((sum, one) => sum + one.total, 0) };
  }

  async stop(work: UnitOfWork, user: UserRecord, limit: number): Promise<boolean> {
    let isAll = true;
    for (const usage of this.usages) if (!(await usage.stop(work, user, limit))) isAll = false;
    return isAll;
  }
}
