import { Injectable } from '@nestjs/common';
import type { Caller } from '@commerce/data';
import { BusinessClock } from '@commerce/identity';

import type { DebtsQuery } from './revenue.dto.js';
import { RevenueStore, type Debt } from './revenue.store.js';

/** The open debts of a company. */
export interface Debts {
  readonly at: Date;
  readonly debts: readonly Debt[];
}

/** Reads how much subscriptions owe, and for how long. */
@Injectable()
export class DebtReader {
  constructor(
    private readonly store: RevenueStore,
    private readonly time: BusinessClock,
  ) {}

  /** @throws Fault `test_clock.unknown`; `query.timeout` where so much is owed that it cannot be added up in time */
  async debts({ company }: Caller, { test_clock }: DebtsQuery): Promise<Debts> {
    const at = await this.time.referred(company, test_clock, 'test_clock');
    return { at, debts: await this.store.debts(company, test_clock, at) };
  }
}
