import { Injectable } from '@nestjs/common';
import { UserStore, type UserRecord } from '@commerce/identity';
import { toMajor } from '@commerce/kernel';
import type { UnitOfWork } from '@commerce/data';
import { makeRecord, newId, type Id } from '@commerce/records';

import { BalanceReader } from './balance-reader.js';
import { balanceMinor, withAmount } from './balance.rules.js';
import { CreditRecord, type CreditKind } from './credit.record.js';
import { CreditStore } from './credit.store.js';

/** A change of a balance. */
export interface CreditDraft {
  /** Of the entry, for idempotent writes. */
  readonly _id?: Id;
  readonly user: Id;
  readonly currency: string;
  readonly amount_minor: number;
  readonly kind: CreditKind;
  readonly note?: string | null;
  readonly payment?: Id | null;
  readonly subscription?: Id | null;
}

/**
 * The only writer of balances: each change adds its entry to the ledger in the same unit of work. The commit fails with
 * `record.conflict` where another writer has changed the user since, so a balance never goes below 0.
 */
@Injectable()
export class BalanceWriter {
  /** The users that a unit of work has changed, as it left them. */
  private readonly changed = new WeakMap<UnitOfWork, Map<string, UserRecord>>();

  constructor(
    private readonly users: UserStore,
    private readonly credits: CreditStore,
    private readonly reader: BalanceReader,
  ) {}

  /** The balance of a user in a currency, in minor units, from which this unit of work may take. */
  async available(work: UnitOfWork, user: Id, currency: string): Promise<number> {
    const found = this.known(work, user) ?? (await this.reader.holder(work.company, user));
    if (found === null) return 0;
    this.keep(work, found);
    return balanceMinor(found, currency);
  }

  /**
   * Changes a balance and writes its entry.
   * @throws Fault `balance.too_small` where it takes more than the balance holds
   */
  async enter(work: UnitOfWork, draft: CreditDraft): Promise<CreditRecord> {
    const { _id = newId(), user, currency, amount_minor, kind } = draft;
    const { note = null, payment = null, subscription = null } = draft;
    const before = this.known(work, user) ?? (await this.users.in(work.company).get(user, { deleted: true }));
    const after = work.update(this.users, before, withAmount(before, currency, amount_minor), 'user.updated');
    this.keep(work, after);
    const entry = {
      ...{ _id, company: work.company, user, currency, kind, note, payment, subscription },
      number: after.sys.version,
      amount: toMajor(amount_minor, currency),
      balance: after.balance[currency] ?? 0,
    };
    return work.insert(this.credits, makeRecord(CreditRecord, entry, work.now));
  }

  private known(work: UnitOfWork, user: Id): UserRecord | null {
    return this.changed.get(work)?.get(user.toHexString()) ?? null;
  }

  private keep(work: UnitOfWork, user: UserRecord): void {
    const users = this.changed.get(work) ?? new Map<string, UserRecord>();
    this.changed.set(work, users.set(user._id.toHexString(), user));
  }
}
