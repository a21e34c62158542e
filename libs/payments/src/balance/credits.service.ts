import { Injectable } from '@nestjs/common';
import { BusinessClock, UserStore } from '@commerce/identity';
import { fieldFault, isFault, toMinor } from '@commerce/kernel';
import { UnitsOfWork, type Caller, type Page } from '@commerce/data';
import { newId, pageOf, type Id } from '@commerce/records';

import { BalanceWriter } from './balance-writer.js';
import type { CreditRecord } from './credit.record.js';
import { CreditStore } from './credit.store.js';
import type { GrantCreditBody, ListCreditsQuery } from './credits.dto.js';

/** The ledgers of the users' balances. */
@Injectable()
export class Credits {
  constructor(
    private readonly store: CreditStore,
    private readonly users: UserStore,
    private readonly balances: BalanceWriter,
    private readonly units: UnitsOfWork,
    private readonly time: BusinessClock,
  ) {}

  /**
   * Adds an amount to the balance of a user, or takes one back.
   * @param _id of the new entry, for idempotent creation
   * @throws Fault `user.not_found`; `balance.too_small` where the balance holds less
   */
  async grant(
    caller: Caller,
    id: Id | string,
    body: GrantCreditBody,
    _id: Id = newId(),
  ): Promise<CreditRecord> {
    const { currency, note = null } = body;
    const amount_minor = minorOf(body);
    const kind = amount_minor > 0 ? 'granted' : 'taken_back';
    const { _id: user, company, test_clock } = await this.users.in(caller.company).get(id);
    const now = await this.time.now(company, test_clock);
    const draft = { _id, user, currency, amount_minor, kind, note } as const;
    return this.units.write(company, (work) => this.balances.enter(work, draft), now);
  }

  /** The entries of a user's ledger. */
  async list(caller: Caller, id: string, query: ListCreditsQuery): Promise<Page<CreditRecord>> {
    const { _id: user } = await this.users.for(caller).show(id);
    return this.store.for(caller).page(pageOf(query, { user }));
  }
}

function minorOf({ amount, currency }: GrantCreditBody): number {
  let minor: number;
  try {
    minor = toMinor(amount, currency);
  } catch (error) {
    if (!isFault(error)) throw error;
    const path = error.code.startsWith('currency') ? 'currency' : 'amount';
    throw fieldFault(path, `${path}: ${error.message}`, error.code);
  }
  if (minor === 0) throw fieldFault('amount', 'amount must not be 0');
  return minor;
}
