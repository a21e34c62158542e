import { Injectable } from '@nestjs/common';
import { Handles, JobQueue, Sweeps } from '@commerce/jobs';
import { Metrics } from '@commerce/platform';

import { PaymentStore } from '../payments/payment.store.js';
import { PAYMENT_CHECKS, type PaymentChecksJob } from './payment-checks.job.js';
import { PaymentClock } from '../settling/payment-clock.js';
import { Reconciler } from './reconciler.js';

/** Number of due payments per pass. */
const BATCH = 200;

/** Interval between two counts of the payments that owe a refund. */
const COUNT_EVERY_MS = 10_000;

/** Finds payments, refunds and cancellations that are unfinished and due, and queues their checks. */
@Injectable()
export class PaymentSweep {
  private counted = 0;

  constructor(
    private readonly store: PaymentStore,
    private readonly reconciler: Reconciler,
    private readonly clocks: PaymentClock,
    private readonly jobs: JobQueue,
    private readonly metrics: Metrics,
  ) {}

  @Sweeps('payment-checks')
  async sweep(): Promise<void> {
    const now = this.clocks.real();
    await this.count(now);
    const due = await this.store.due(now, BATCH);
    const [first] = due;
    const waited = first === undefined ? 0 : now.getTime() - first.check_at.getTime();
    this.metrics.oldestDueAge('payment-checks', waited / 1000);
    const requests = due.map(({ _id, company }) => ({
      data: { company, payment: _id },
      id: `pay-${_id.toHexString()}`,
    }));
    await this.jobs.addOrRun(PAYMENT_CHECKS, requests, (data) => this.check(data));
  }

  private async count(now: Date): Promise<void> {
    if (now.getTime() - this.counted < COUNT_EVERY_MS) return;
    this.counted = now.getTime();
    this.metrics.paymentsOwingRefunds(await this.store.owing());
  }

  @Handles(PAYMENT_CHECKS)
  async check({ company, payment }: PaymentChecksJob): Promise<void> {
    await this.reconciler.check({ _id: payment, company });
  }
}
