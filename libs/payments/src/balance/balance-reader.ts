import { Injectable } from '@nestjs/common';
import { UserStore, type UserRecord } from '@commerce/identity';
import type { BatchLoader } from '@commerce/data';
import { distinctIds, type Id } from '@commerce/records';

import { balanceMinor } from './balance.rules.js';

const HAS_BALANCE = { has_balance: true } as const;

/** Reads balances, those of concurrent calls in one query of the users that have one; most users have none. */
@Injectable()
export class BalanceReader {
  private readonly holders: BatchLoader<UserRecord>;

  constructor(private readonly users: UserStore) {
    this.holders = users.loaderOf(HAS_BALANCE);
  }

  /** A user with a balance in any currency, deleted or not; null for any other. */
  holder(company: Id, user: Id): Promise<UserRecord | null> {
    return this.holders.find(company, user, { deleted: true });
  }

  /** The balance of a user in a currency, in minor units. */
  async balanceOf(company: Id, user: Id, currency: string): Promise<number> {
    const found = await this.holder(company, user);
    return found === null ? 0 : balanceMinor(found, currency);
  }

  /** As `balanceOf`, for many users, read together. */
  async balancesOf(company: Id, users: readonly Id[]): Promise<(user: Id, currency: string) => number> {
    const holders = await this.users.in(company).byIds(distinctIds(users), HAS_BALANCE);
    return (user, currency) => {
      const found = holders.size === 0 ? undefined : holders.get(user.toHexString());
      return found === undefined ? 0 : balanceMinor(found, currency);
    };
  }
}
