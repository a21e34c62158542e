import { Injectable } from '@nestjs/common';
import { UsesPaymentMethods, type PaymentMethodUsage } from '@commerce/payments';
import type { Id } from '@commerce/records';

import { SubscriptionStore } from '../subscription-record/subscription.store.js';
import { Subscriptions } from '../subscriptions/subscriptions.service.js';

/** The payment methods that live subscriptions are charged to. */
@Injectable()
@UsesPaymentMethods()
export class SubscriptionMethodUsage implements PaymentMethodUsage {
  constructor(
    private readonly store: SubscriptionStore,
    private readonly subscriptions: Subscriptions,
  ) {}

  async uses(company: Id, paymentMethod: Id): Promise<boolean> {
    return (await this.store.livingOn(company, paymentMethod)).length > 0;
  }

  async replace(company: Id, paymentMethod: Id, by: Id): Promise<void> {
    for (const id of await this.store.livingOn(company, paymentMethod)) {
      await this.subscriptions.payBy(company, id, by);
    }
  }
}
