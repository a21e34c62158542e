import { Injectable } from '@nestjs/common';
import { BalanceReader, PaymentMethods } from '@commerce/payments';

import { coversNextCharge, type AheadInput } from '../domain/ahead/lookahead.js';
import type { SubscriptionRecord } from '../subscription-record/subscription.record.js';

/** Reads whether a trial can end in charges. */
@Injectable()
export class PayabilityReader {
  constructor(
    private readonly methods: PaymentMethods,
    private readonly balances: BalanceReader,
  ) {}

  /** Whether the subscription has a usable payment method, or the balance of its customer pays its whole next charge. */
  async canPay(
    subscription: SubscriptionRecord,
    ahead: Pick<AheadInput, 'state' | 'terms' | 'now' | 'holdingOf'>,
  ): Promise<boolean> {
    const { company, user, payment_method, currency } = subscription;
    if ((await this.methods.usable(company, user, payment_method)) !== null) return true;
    return coversNextCharge(ahead, await this.balances.balanceOf(company, user, currency));
  }
}
