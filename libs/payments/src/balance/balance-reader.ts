import { Injectable } from '@nestjs/common';
import { UserStore, type UserRecord } from '@commerce/identity';
import type { BatchLoader } from '@commerce/data';
import type { Id } from '@commerce/records';

import { balanceMinor } from './balance.rules.js';

/** Reads balances, those of concurrent calls in one query of the users that have one; most users have none. */
@Injectable()
export class BalanceReader {
  private readonly holders: BatchLoader<UserRecord>;

  constructor(users: UserStore) {
    this.holders = users.loaderOf({ has_balance: true });
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
}
