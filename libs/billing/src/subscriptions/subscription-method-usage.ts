import { Injectable, type OnModuleInit } from '@nestjs/common';
import { PaymentMethodUsages, type PaymentMethodUsage } from '@commerce/payments';
import type { Id } from '@commerce/platform';

import { SubscriptionStore } from './subscription.store.js';
import { Subscriptions } from './subscriptions.service.js';

/** Tells the payment methods which of them live subscriptions need. */
@Injectable()
export class SubscriptionMethodUsage implements PaymentMethodUsage, OnModuleInit {
  constructor(
    private readonly users: PaymentMethodUsages,
    private readonly store: SubscriptionStore,
    private readonly subscriptions: Subscriptions,
  ) {}

  onModuleInit(): void {
    this.users.register(this);
  }

  async uses(company: Id, paymentMethod: Id): Promise<boolean> {
    return (await this.store.livingOn(company, paymentMethod)).length > 0;
  }

  async replace(company: Id, paymentMethod: Id, by: Id): Promise<void> {
    for (const id of await this.store.livingOn(company, paymentMethod)) {
      await this.subscriptions.payBy(company, id, by);
    }
  }
}
