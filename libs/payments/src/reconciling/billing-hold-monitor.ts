import { Injectable } from '@nestjs/common';
import { Sweeps } from '@commerce/jobs';
import { Log, Metrics } from '@commerce/platform';

import { BillingHoldStore } from '../charging/billing-hold.store.js';

/** Interval at which the log repeats that new charges are on hold. */
const SAY_EVERY_MS = 60_000;

/** Logs, as long as the hold lasts, that new charges are on hold, so that nobody forgets to resume them. */
@Injectable()
export class BillingHoldMonitor {
  private saidAt = -Infinity;

  constructor(
    private readonly holds: BillingHoldStore,
    private readonly metrics: Metrics,
    private readonly log: Log,
  ) {}

  @Sweeps('billing-hold', 10)
  async sweep(): Promise<void> {
    const since = await this.holds.since();
    this.metrics.billingHeld(since !== null);
    if (since === null || performance.now() - this.saidAt < SAY_EVERY_MS) return;
    this.saidAt = performance.now();
    this.log.warn({ since }, 'New charges are on hold; billing:resume lets them go on');
  }
}
