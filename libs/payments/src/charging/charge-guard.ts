import { Injectable } from '@nestjs/common';
import { fault } from '@commerce/kernel';
import type { Id } from '@commerce/records';

import { PaymentMethods, type UsableMethod } from '../methods/payment-methods.service.js';
import { BillingHoldStore } from './billing-hold.store.js';
import type { PaymentRecord } from '../payments/payment.record.js';

/** Delay before the next check while charges are on hold, which may last. */
const HELD_RETRY_MS = 60_000;

/** The conditions under which a charge begins: its payment method, the provider's minimum, and no hold. */
@Injectable()
export class ChargeGuard {
  constructor(
    private readonly methods: PaymentMethods,
    private readonly holds: BillingHoldStore,
  ) {}

  get provider(): string {
    return this.methods.provider;
  }

  minimumCharge(currency: string): number {
    return this.methods.minimumCharge(currency);
  }

  usable(
    { company, user }: Pick<PaymentRecord, 'company' | 'user'>,
    id: Id | null,
  ): Promise<UsableMethod | null> {
    return this.methods.usable(company, user, id);
  }

  /** @throws Fault `billing.held` while new charges are on hold */
  async requireOpen(): Promise<void> {
    if ((await this.holds.since()) === null) return;
    throw fault('billing.held', 'New charges are on hold for a while; try again later', {
      retry_after_ms: HELD_RETRY_MS,
    });
  }
}
