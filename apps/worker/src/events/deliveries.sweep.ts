import { DueDeliveries } from '@commerce/events';
import { Sweeps, type Sweep } from '@commerce/platform';

/** Finds deliveries whose next attempt is due, and those whose worker died. */
@Sweeps('deliveries')
export class DueDeliveriesSweep implements Sweep {
  constructor(private readonly pass: DueDeliveries) {}

  run(): Promise<void> {
    return this.pass.run();
  }
}
