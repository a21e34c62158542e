import { Injectable, type OnModuleInit, type Type } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import type { Id } from '@commerce/records';

/** Something that goes on charging a payment method, such as live subscriptions. */
export interface PaymentMethodUsage {
  /** True while anything of it would be charged by this payment method. */
  uses(company: Id, paymentMethod: Id): Promise<boolean>;
  /** Makes all of it use another one instead. */
  replace(company: Id, paymentMethod: Id, by: Id): Promise<void>;
}

/** Finds the usages among the providers of all modules. */
const PAYMENT_METHOD_USAGES = DiscoveryService.createDecorator();

/** Marks a provider that goes on charging payment methods; to be listed in a module is all else that it needs. */
export function UsesPaymentMethods() {
  return (usage: Type<PaymentMethodUsage>): void => {
    PAYMENT_METHOD_USAGES()(usage);
  };
}

/** All that goes on charging payment methods, as found among the providers of this process. */
@Injectable()
export class PaymentMethodUsages implements OnModuleInit {
  private usages: readonly PaymentMethodUsage[] = [];

  constructor(private readonly discovery: DiscoveryService) {}

  onModuleInit(): void {
    const found = this.discovery.getProviders({ metadataKey: PAYMENT_METHOD_USAGES.KEY });
    this.usages = found.map(({ instance }) => instance as PaymentMethodUsage);
  }

  async uses(company: Id, paymentMethod: Id): Promise<boolean> {
    const answers = await Promise.all(this.usages.map((usage) => usage.uses(company, paymentMethod)));
    return answers.includes(true);
  }

  async replace(company: Id, paymentMethod: Id, by: Id): Promise<void> {
    for (const usage of this.usages) await usage.replace(company, paymentMethod, by);
  }
}
