import { Injectable } from '@nestjs/common';
import { fault } from '@commerce/kernel';
import type { Id } from '@commerce/records';

import { PaymentMethods, type UsableMethod } from '../methods/payment-methods.service.js';
import { TaxBuyerReader } from '../methods/tax-buyer-reader.js';
import { BillingHoldStore } from './billing-hold.store.js';
import type { PaymentRecord } from '../payments/payment.record.js';

/** Delay before the next check while charges are on hold, which may last. */
const HELD_RETRY_MS = 60_000;

/** The conditions under which a charge begins: its payment method, the evidence that its card gives, the provider's minimum, and no hold. */
@Injectable()
export class ChargeGuard {
  constructor(
    private readonly methods: PaymentMethods,
    private readonly holds: BillingHoldStore,
    private readonly buyers: TaxBuyerReader,
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

  /** Whether the payment is taxed by an address that the card of this payment method contradicts. */
  isContradicted(payment: PaymentRecord, id: Id): Promise<boolean> {
    return this.buyers.isContradicted(payment, id);
  }

  /** @throws Fault `billing.held` while new charges are on hold */
  async requireOpen(): Promise<void> {
    if ((await this.holds.since()) === null) return;
    throw fault('billing.held', 'New charges are on hold for a while; try again later', {
      retry_after_ms: HELD_RETRY_MS,
    });
  }
}
