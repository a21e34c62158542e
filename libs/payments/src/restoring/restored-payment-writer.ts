import { Injectable } from '@nestjs/common';
import { UnitsOfWork, type UnitOfWork } from '@commerce/data';
import { toMajor } from '@commerce/kernel';
import { makeRecord, newId } from '@commerce/records';

import { PaymentBalanceWriter } from '../balance/payment-balance-writer.js';
import { refundChanges } from '../payments/payment-refund.rules.js';
import { PaymentRecord } from '../payments/payment.record.js';
import { applyOutcome } from '../payments/payment.rules.js';
import { PaymentClock } from '../settling/payment-clock.js';
import { PaymentProcessor } from '../charging/payment-processor.js';
import { countLost, restoredValues, keyBeside, type LostPayment } from './restored-payment.js';
import { Settlement } from '../settling/settlement.js';

/** Writes money into our books that the provider has collected and they do not know. */
@Injectable()
export class RestoredPaymentWriter {
  constructor(
    private readonly books: PaymentBalanceWriter,
    private readonly units: UnitsOfWork,
    private readonly settlement: Settlement,
    private readonly processor: PaymentProcessor,
    private readonly clocks: PaymentClock,
  ) {}

  /** Writes the payment back. Its owner follows it like any other that succeeds, or decides to do so later. */
  async writeBack(lost: LostPayment, period_key: string): Promise<void> {
    const { intent, owner } = lost;
    const { tag, outcome } = intent;
    const { company } = restoredValues(lost);
    const { business } = await this.clocks.instantsOf({ company, test_clock: owner.test_clock });
    const made = await this.units.write(company, (work) => this.insert(work, lost, period_key), business);
    const settled = await this.settlement.settle(made, tag.attempt, outcome);
    await this.processor.catchUp(settled);
  }

  /** Takes the credit of the payment again: the restored balance holds it, unless it was granted after the backup. */
  private async insert(work: UnitOfWork, lost: LostPayment, period_key: string): Promise<PaymentRecord> {
    const { user } = lost.owner;
    const { currency, owed } = lost.intent;
    const restored = restoredValues(lost);
    const { credit_minor: asked } = owed;
    const balance =
      asked === 0
        ? 0
        : await this.books.available(work, { user, currency, subscription: restored.subscription ?? null });
    const credit_minor = Math.min(asked, balance);
    const values = { ...restored, period_key, credit_applied: toMajor(credit_minor, currency) };
    const made = work.insert(
      this.books.store,
      makeRecord(PaymentRecord, values, work.now),
      'payment.created',
    );
    await this.books.apply(work, made, credit_minor);
    lost.owner.also?.(work);
    return made;
  }

  /** Counts the intent for a waiting payment. */
  async count(payment: PaymentRecord, lost: LostPayment): Promise<void> {
    const { intent } = lost;
    const isOwn = payment._id.toHexString() === intent.tag.payment;
    const last = payment.attempts.at(-1)?.number ?? 0;
    const attempt = isOwn ? lost.attempt : { ...lost.attempt, number: last + 1 };
    const leaseEnd = this.clocks.leaseEnd();
    const settled = await this.settlement.settleLost(payment, (current, real) =>
      countLost(current, attempt, intent, { real, leaseEnd }),
    );
    await this.processor.catchUp(settled);
  }

  /** Writes the payment and its refund in one commit, so that no owner ever follows it. */
  async giveBack(twin: PaymentRecord, lost: LostPayment): Promise<void> {
    const { intent, owner } = lost;
    const { tag, outcome } = intent;
    const values = restoredValues(lost);
    const _id = twin._id.toHexString() === tag.payment ? newId() : values._id;
    const reason = twin.order === null ? 'subscription.paid_already' : 'order.paid_already';
    const { business, real } = await this.clocks.instantsOf({ ...values, test_clock: owner.test_clock });
    const payment = await this.units.write(
      values.company,
      async (work) => {
        const beside = { ...values, _id, period_key: keyBeside(intent) };
        const made = work.insert(
          this.books.store,
          makeRecord(PaymentRecord, beside, work.now),
          'payment.created',
        );
        const changes = applyOutcome(made, tag.attempt, outcome, real) ?? {};
        const paid = work.update(this.books.store, made, changes, 'payment.succeeded');
        const refund = { key: 'unwanted', amount_minor: intent.amount_minor, reason };
        const reserved = refundChanges(paid, refund, work.now, this.clocks.leaseEnd()) ?? {};
        const after = work.update(this.books.store, paid, reserved, 'payment.updated');
        await this.books.follow(work, made, after);
        return after;
      },
      business,
    );
    await this.processor.run(payment, 'first');
  }
}
