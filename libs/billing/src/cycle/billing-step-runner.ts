import { Injectable } from '@nestjs/common';
import type { Instants } from '@commerce/identity';
import { isFault } from '@commerce/kernel';
import { SystemClock } from '@commerce/platform';

import type { Terms } from '../domain/pricing/terms.js';
import type { SubscriptionRecord } from '../subscriptions/subscription.record.js';
import { BillingStepProcessor, type StepResult } from './billing-step-processor.js';
import { SubscriptionHolder } from './subscription-holder.js';

/** `conflict`: another writer was faster, read again. `failure`: an unforeseen error, which has been noted. */
export type TakenStep = StepResult | 'conflict' | 'failure';

/** Takes steps such that what goes wrong with one subscription concerns no other. */
@Injectable()
export class BillingStepRunner {
  constructor(
    private readonly steps: BillingStepProcessor,
    private readonly holder: SubscriptionHolder,
    private readonly clock: SystemClock,
  ) {}

  /** @param terms throws where the terms of this subscription cannot be told */
  async take(subscription: SubscriptionRecord, terms: () => Terms, instants: Instants): Promise<TakenStep> {
    try {
      const step = await this.steps.take(subscription, terms(), instants);
      if (step.hold === null) return step;
      return { ...step, after: await this.holder.hold(subscription, step.hold, instants) };
    } catch (error) {
      if (isFault(error, 'record.conflict') || isFault(error, 'payment.exists')) return 'conflict';
      await this.holder.noteFailure(subscription, error, instants);
      return 'failure';
    }
  }

  /** Notes an error outside of any step, such as a test clock that is gone. */
  async fail(subscription: SubscriptionRecord, error: unknown): Promise<void> {
    const now = this.clock.now();
    await this.holder.noteFailure(subscription, error, { business: now, real: now });
  }
}
