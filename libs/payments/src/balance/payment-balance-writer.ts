import { Injectable } from '@nestjs/common';
import type { UnitOfWork } from '@commerce/data';
import type { Id } from '@commerce/records';

import { InvoiceDueWriter } from '../invoicing/invoice-due-writer.js';
import type { PaymentRecord } from '../payments/payment.record.js';
import { PaymentStore } from '../payments/payment.store.js';
import { BalanceWriter } from './balance-writer.js';
import { creditsOfPayment } from './credits-of-payment.js';

/** Payments, the credit that they take from balances and give back, and the invoices that they are due for. */
@Injectable()
export class PaymentBalanceWriter {
  constructor(
    readonly store: PaymentStore,
    private readonly balances: BalanceWriter,
    private readonly invoices: InvoiceDueWriter,
  ) {}

  /** The balance from which a payment of a subscription may take, in minor units; orders take none. */
  async available(
    work: UnitOfWork,
    { user, subscription, currency }: Pick<PaymentRecord, 'user' | 'currency'> & { subscription: Id | null },
  ): Promise<number> {
    return subscription === null ? 0 : this.balances.available(work, user, currency);
  }

  /** Takes the credit of a new payment from the balance. */
  async apply(work: UnitOfWork, payment: PaymentRecord, credit_minor: number): Promise<void> {
    if (credit_minor === 0) return;
    const { _id, user, currency, subscription } = payment;
    const about = { user, currency, payment: _id, subscription };
    await this.balances.enter(work, { ...about, kind: 'applied', amount_minor: 0 - credit_minor });
  }

  /** Changes a payment, and the balance where that follows. */
  async update(
    work: UnitOfWork,
    before: PaymentRecord,
    changes: Partial<PaymentRecord>,
  ): Promise<PaymentRecord> {
    const after = work.update(this.store, before, changes, 'payment.updated');
    await this.follow(work, before, after);
    return after;
  }

  /** Reports a payment that has become FAILED: an event of its own, after that of the change, which it repeats. */
  reportFailure(work: UnitOfWork, before: PaymentRecord, after: PaymentRecord): PaymentRecord {
    const hasFailed = after.status === 'FAILED' && before.status !== 'FAILED';
    return hasFailed ? work.update(this.store, after, {}, 'payment.failed') : after;
  }

  /** Ends a payment that needs no card: the balance covers it, or its amount is 0. */
  async succeed(work: UnitOfWork, before: PaymentRecord): Promise<PaymentRecord> {
    const after = work.update(this.store, before, { status: 'SUCCEEDED' }, 'payment.succeeded');
    await this.follow(work, before, after);
    return after;
  }

  /** Enters what a change of a payment in this unit of work means for the balance and for its invoices. */
  async follow(work: UnitOfWork, before: PaymentRecord, after: PaymentRecord): Promise<void> {
    for (const draft of creditsOfPayment(before, after)) await this.balances.enter(work, draft);
    await this.invoices.follow(work, before, after);
  }
}
