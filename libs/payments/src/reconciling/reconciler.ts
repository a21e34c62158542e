import { Injectable } from '@nestjs/common';
import { Log } from '@commerce/platform';

import { earliestCheck } from '../payments/check-dates.js';
import { PaymentStore, type PaymentKey } from '../payments/payment.store.js';
import { PaymentClock } from '../settling/payment-clock.js';
import { PaymentProcessor } from '../charging/payment-processor.js';

/** Time for which a payment is left alone after an unexpected error. */
const AFTER_ERROR_MS = 60_000;

/** Finishes work left open by a process that died, or by a provider that did not answer. */
@Injectable()
export class Reconciler {
  constructor(
    private readonly store: PaymentStore,
    private readonly processor: PaymentProcessor,
    private readonly clocks: PaymentClock,
    private readonly log: Log,
  ) {}

  /**
   * Checks one payment, unless another process has leased it or it is no longer due. An error is logged and tried again
   * later, without delaying other payments.
   */
  async check(key: PaymentKey): Promise<void> {
    const lease = this.clocks.lease();
    if (!(await this.store.lease(key, lease))) return;
    try {
      const payment = await this.processor.run(await this.store.in(key.company).get(key._id), 'again');
      // Where nothing was settled, the date of the lease still stands.
      const next = earliestCheck(payment);
      if (next === null || next > lease.until) await this.store.moveCheck(key, lease, next);
    } catch (error) {
      this.log.error({ error, payment: key._id.toHexString() }, 'A payment could not be looked after');
      const later = new Date(this.clocks.real().getTime() + AFTER_ERROR_MS);
      await this.store.moveCheck(key, lease, later);
    }
  }
}
