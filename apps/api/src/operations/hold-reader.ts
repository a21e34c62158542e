import { Injectable } from '@nestjs/common';
import { SubscriptionStore } from '@commerce/billing';
import { BillingHoldStore } from '@commerce/payments';
import type { Id } from '@commerce/records';

import type { OperationsReply } from './due-work.reply.js';

/** Reads what keeps billing from charging: the subscriptions on hold, and the hold of the whole installation. */
@Injectable()
export class HoldReader {
  constructor(
    private readonly subscriptions: SubscriptionStore,
    private readonly holds: BillingHoldStore,
  ) {}

  async read(company: Id): Promise<Pick<OperationsReply, 'held' | 'held_capped' | 'billing_hold'>> {
    const [{ count: held, capped: held_capped }, billing_hold] = await Promise.all([
      this.subscriptions.heldCount(company),
      this.holds.since(),
    ]);
    return { held, held_capped, billing_hold };
  }
}
