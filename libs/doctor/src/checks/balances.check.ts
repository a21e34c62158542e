import { Injectable } from '@nestjs/common';
import { UserStore, type UserRecord } from '@commerce/identity';
import { CreditStore, PaymentStore, type CreditRecord, type PaymentRecord } from '@commerce/payments';
import { toMajor, toMinor } from '@commerce/kernel';
import type { Id } from '@commerce/records';

import type { Check } from './check.js';
import type { Finding } from './finding.js';
import type { Walk } from './walk.js';

/** Sums in minor units, by key. */
type Sums = Map<string, number>;

/** A balance must be the sum of its ledger, and each payment hold the credit that the ledger gave it. */
@Injectable()
export class BalancesCheck implements Check {
  constructor(
    private readonly users: UserStore,
    private readonly credits: CreditStore,
    private readonly payments: PaymentStore,
  ) {}

  async *check(walk: Walk): AsyncGenerator<Finding> {
    const { company } = walk;
    for await (const user of walk.over(this.holders(company))) {
      // Charges change a balance all the time: a difference counts when it is found twice.
      const found = await this.findings(company, user);
      if (found.length > 0) yield* await this.findings(company, user);
    }
  }

  /** The users with a ledger, and those with a balance. */
  private async *holders(company: Id): AsyncGenerator<Id> {
    let last = '';
    for await (const { user } of this.credits.in(company).stream({}, { user: 1, number: 1, _id: 1 })) {
      const id = user.toHexString();
      if (last !== id) yield user;
      last = id;
    }
    for await (const { _id } of this.users.in(company).stream({ has_balance: true }))
      if ((await this.credits.in(company).one({ user: _id })) === null) yield _id;
  }

  private async findings(company: Id, id: Id): Promise<Finding[]> {
    const user = await this.users.in(company).find(id, { deleted: true });
    const entries = this.credits.in(company).stream({ user: id }, { number: 1, _id: 1 });
    const balances: Sums = new Map();
    const ofPayments: Sums = new Map();
    for await (const entry of entries) {
      const minor = toMinor(entry.amount, entry.currency);
      add(balances, entry.currency, minor);
      if (entry.payment !== null && isCredit(entry)) add(ofPayments, entry.payment.toHexString(), -minor);
    }
    for await (const { _id } of this.payments.in(company).stream({ user: id, credit_applied: { $gt: 0 } }))
      add(ofPayments, _id.toHexString(), 0);
    return [...balanceFindings(id, user, balances), ...(await this.ofPayments(company, ofPayments))];
  }

  private async ofPayments(company: Id, sums: Sums): Promise<Finding[]> {
    const found: Finding[] = [];
    for (const [id, minor] of sums) {
      const payment = await this.payments.in(company).find(id);
      if (payment === null || toMinor(payment.credit_applied, payment.currency) === minor) continue;
      found.push(ofPayment(payment, minor));
    }
    return found;
  }
}

function add(sums: Sums, key: string, minor: number): void {
  sums.set(key, (sums.get(key) ?? 0) + minor);
}

function isCredit({ kind }: CreditRecord): boolean {
  return kind === 'applied' || kind === 'returned';
}

function balanceFindings(id: Id, user: UserRecord | null, sums: Sums): Finding[] {
  const balance = user?.balance ?? {};
  const currencies = new Set([...sums.keys(), ...Object.keys(balance)]);
  return [...currencies].flatMap((currency) => {
    const [here, sum] = [toMinor(balance[currency] ?? 0, currency), sums.get(currency) ?? 0];
    if (here === sum) return [];
    const detail = `the balance is ${toMajor(here, currency)} ${currency}, its ledger adds up to ${toMajor(sum, currency)}`;
    return [{ kind: 'user.balance', id: id.toHexString(), detail, repair: null }];
  });
}

function ofPayment({ _id, credit_applied, currency }: PaymentRecord, minor: number): Finding {
  const detail = `credit_applied is ${credit_applied} ${currency}, the ledger gave it ${toMajor(minor, currency)}`;
  return { kind: 'payment.credit', id: _id.toHexString(), detail, repair: null };
}
