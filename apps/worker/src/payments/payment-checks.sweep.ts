import { Janitor } from '@commerce/payments';
import { Sweeps, type Sweep } from '@commerce/platform';

/** Finds payments, refunds and cancellations whose end is open. */
@Sweeps('payment-checks')
export class PaymentChecksSweep implements Sweep {
  constructor(private readonly janitor: Janitor) {}

  async run(): Promise<void> {
    await this.janitor.sweep();
  }
}
