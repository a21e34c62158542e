import { Reconciler } from '@commerce/payments';
import { Metrics, Sweeps, type Sweep } from '@commerce/platform';

/** Finds payments, refunds and cancellations whose end is open. */
@Sweeps('payment-checks')
export class PaymentChecksSweep implements Sweep {
  constructor(
    private readonly janitor: Reconciler,
    private readonly metrics: Metrics,
  ) {}

  async run(): Promise<void> {
    this.metrics.oldestDueAge('payment-checks', await this.janitor.sweep());
  }
}
