import { toMinor } from '@commerce/kernel';

import type { ScenarioFixture } from '../fixture.js';

/** The setup fee of the second model: due at the start, and charged once, as billing runs for the first time. */
export class ModelSetupFee {
  charged_minor = 0;
  private isDue: boolean;

  constructor(private readonly fixture: ScenarioFixture) {
    this.isDue = this.of('first') > 0;
  }

  /** Billing runs while the subscription has this plan. */
  charge(plan: string): void {
    if (this.isDue) this.charged_minor += this.of(plan);
    this.isDue = false;
  }

  /** In a trial a plan without a fee takes the place of one whose fee has not been charged. */
  exchange(plan: string): void {
    this.isDue &&= this.of(plan) > 0;
  }

  cancel(): void {
    this.isDue = false;
  }

  private of(plan: string): number {
    const { setup_fee = 0 } = this.fixture.plans?.[plan] ?? this.fixture.plan ?? {};
    return toMinor(setup_fee, 'EUR');
  }
}
