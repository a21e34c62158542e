import { Injectable } from '@nestjs/common';
import { DatabaseClock, UnitsOfWork, type UnitOfWork } from '@commerce/data';
import { BusinessClock, Companies } from '@commerce/identity';

import type { PaymentRecord } from '../payments/payment.record.js';
import { isCollected } from '../payments/payment.rules.js';
import { InvoiceDueStore } from './invoice-due.store.js';

/** Notes, in the commit of a success or a failed refund, that it is due for a document; where the company has a seller. */
@Injectable()
export class InvoiceDueWriter {
  constructor(
    readonly store: InvoiceDueStore,
    private readonly companies: Companies,
    private readonly clock: DatabaseClock,
    private readonly units: UnitsOfWork,
    private readonly time: BusinessClock,
  ) {}

  /** Notes the success of a payment, and the outcomes of its refunds, that this unit of work writes. */
  async follow(work: UnitOfWork, before: PaymentRecord, after: PaymentRecord): Promise<void> {
    const outcomes = outcomesOf(before, after);
    if (outcomes.length === 0) return;
    const { seller } = await this.companies.get(work.company);
    if (seller === null) return;
    const from = this.clock.read();
    for (const refund of outcomes) this.store.add(work, { payment: after._id, refund, date: work.now, from });
  }

  /**
   * Notes a collected payment, or refunds of it, as of now: their documents get the date of today.
   * @param missing the keys of the refunds; null for the payment itself
   */
  async request(payment: PaymentRecord, missing: readonly (string | null)[]): Promise<void> {
    const { company, test_clock, _id } = payment;
    const { business: date, real: from } = await this.time.instants(company, test_clock);
    await this.units.write(company, (work) => {
      for (const refund of missing) this.store.add(work, { payment: _id, refund, date, from });
    });
  }
}

/** Null for the success of the payment, and the keys of the refunds that have succeeded or failed. */
function outcomesOf(before: PaymentRecord, after: PaymentRecord): (string | null)[] {
  const own = isCollected(after.status) && !isCollected(before.status) ? [null] : [];
  if (after.refunds === before.refunds) return own;
  const known = new Map(before.refunds.map(({ key, status }) => [key, status]));
  const ended = after.refunds.filter(({ key, status }) => status !== 'PENDING' && status !== known.get(key));
  return [...own, ...ended.map(({ key }) => key)];
}
