import { Injectable } from '@nestjs/common';
import type { Instants } from '@commerce/identity';
import { isFault } from '@commerce/kernel';
import { NotSent } from '@commerce/payments';
import { DatabaseClock, databaseTrouble } from '@commerce/data';

import type { Terms } from '../domain/pricing/terms.js';
import type { SubscriptionRecord } from '../subscription-record/subscription.record.js';
import { SubscriptionStore } from '../subscription-record/subscription.store.js';
import { BillingStepProcessor, type StepResult } from './billing-step-processor.js';
import { PlanNotRead } from '../terms/terms-reader.js';
import { ChargeLimiter } from './charge-limiter.js';
import { SubscriptionHolder } from './subscription-holder.js';

/** Delay before the next look at a subscription while new charges are on hold. */
const ON_HOLD_MS = 5000;

/**
 * `conflict`: another writer was faster, read again. `failure`: an unexpected error, already recorded. `later`: the
 * subscription is fine, but charges are on hold, the provider's rate limit is reached, the database does not answer, or
 * another writer has scheduled a change to a plan that was not read.
 */
export type TakenStep = StepResult | 'conflict' | 'failure' | 'later';

/** Takes steps in isolation: an error in one subscription affects no other. */
@Injectable()
export class BillingStepRunner {
  constructor(
    private readonly steps: BillingStepProcessor,
    private readonly holder: SubscriptionHolder,
    private readonly store: SubscriptionStore,
    private readonly clock: DatabaseClock,
    private readonly limiter: ChargeLimiter,
  ) {}

  /** @param terms throws where the terms of this subscription cannot be read */
  take(subscription: SubscriptionRecord, terms: () => Terms, instants: Instants): Promise<TakenStep> {
    return this.limiter.run(subscription.company, () => this.tryOne(subscription, terms, instants));
  }

  private async tryOne(
    subscription: SubscriptionRecord,
    terms: () => Terms,
    instants: Instants,
  ): Promise<TakenStep> {
    try {
      const step = await this.steps.take(subscription, terms(), instants);
      if (step.hold === null) return step;
      return { ...step, after: await this.holder.hold(subscription, step.hold, instants) };
    } catch (error) {
      if (isFault(error, 'record.conflict') || isFault(error, 'payment.exists')) return 'conflict';
      if (databaseTrouble(error) !== null || error instanceof NotSent || error instanceof PlanNotRead)
        return 'later';
      if (isFault(error, 'billing.held')) {
        await this.store.wake(subscription, new Date(instants.real.getTime() + ON_HOLD_MS));
        return 'later';
      }
      if (await this.hasChanged(subscription)) return 'conflict';
      await this.holder.noteFailure(subscription, error, instants);
      return 'failure';
    }
  }

  /** Whether another writer was faster: data read along with an outdated subscription may not fit it. */
  private async hasChanged({ company, _id, sys }: SubscriptionRecord): Promise<boolean> {
    const now = await this.store.loader.find(company, _id);
    return now?.sys.version !== sys.version;
  }

  /** Records an error outside of any step, such as a missing test clock. */
  async fail(subscription: SubscriptionRecord, error: unknown): Promise<void> {
    const now = this.clock.read();
    await this.holder.noteFailure(subscription, error, { business: now, real: now });
  }
}
