import { Injectable } from '@nestjs/common';
import { Handles, JobQueue, Log, Metrics, Sweeps, parseId, type Id } from '@commerce/platform';

import { PaymentProcessor } from './payment-processor.js';
import { PaymentClock } from './payment-clock.js';
import { PAYMENT_CHECKS, type PaymentChecksJob } from './payment-checks.job.js';
import { isOpen } from '../payments/payment.rules.js';
import { PaymentStore } from '../payments/payment.store.js';

/** How many due payments one pass looks at. */
const BATCH = 200;

/** How long a payment that could not be looked after is left alone. */
const AFTER_ERROR_MS = 60_000;

/** Finishes what was left open by a process that died, or by a provider that did not answer. */
@Injectable()
export class Reconciler {
  constructor(
    private readonly store: PaymentStore,
    private readonly processor: PaymentProcessor,
    private readonly jobs: JobQueue,
    private readonly clocks: PaymentClock,
    private readonly metrics: Metrics,
    private readonly log: Log,
  ) {}

  /** Finds payments, refunds and cancellations that are unfinished and due, and has them looked at. */
  @Sweeps('payment-checks')
  async sweep(): Promise<void> {
    const now = this.clocks.real();
    const due = await this.store.due(now, BATCH);
    const [first] = due;
    const waited = first === undefined ? 0 : now.getTime() - first.check_at.getTime();
    this.metrics.oldestDueAge('payment-checks', waited / 1000);
    const requests = due.map(({ _id }) => ({
      data: { ids: [_id.toHexString()] },
      id: `pay-${_id.toHexString()}`,
    }));
    await this.jobs.addOrRun(PAYMENT_CHECKS, requests, (data) => this.checkAll(data));
  }

  @Handles(PAYMENT_CHECKS)
  async checkAll({ ids }: PaymentChecksJob): Promise<void> {
    for (const text of ids) {
      const id = parseId(text);
      if (id !== null) await this.check(id);
    }
  }

  /**
   * Looks at one payment, unless somebody else has taken it or it is no longer due. What goes wrong is logged and tried
   * again after a while; it keeps no other payment waiting.
   */
  async check(id: Id): Promise<void> {
    const now = this.clocks.real();
    const until = this.clocks.leaseEnd();
    const company = await this.store.claim(id, now, until);
    if (company === null) return;
    try {
      const payment = await this.processor.run(await this.store.in(company).get(id), 'again');
      if (!isOpen(payment)) await this.store.moveCheck(id, until, null);
    } catch (error) {
      this.log.error({ error, payment: id.toHexString() }, 'A payment could not be looked after');
      await this.store.moveCheck(id, until, new Date(this.clocks.real().getTime() + AFTER_ERROR_MS));
    }
  }
}
