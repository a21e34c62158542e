import { Injectable } from '@nestjs/common';
import { PaymentStore, refundableMinor, type PaymentRecord } from '@commerce/payments';

import type { RestOf } from '../domain/receivable/changed-periods.js';
import type { PaymentKey } from '../domain/receivable/open-payment.js';
import type { SubscriptionRecord } from '../subscription-record/subscription.record.js';

/** Reads the payments of a subscription by the keys that its state names. */
@Injectable()
export class RefundableReader {
  constructor(private readonly store: PaymentStore) {}

  async payment({ company, _id }: SubscriptionRecord, { kind, slice }: PaymentKey): Promise<PaymentRecord> {
    const found = await this.store.in(company).one({ subscription: _id, order: null, kind, slice });
    if (found === null) throw new Error(`a subscription has lost its payment ${kind}/${slice}`);
    return found;
  }

  /** The rest of each of these payments that has not been given back; reads nothing for none. */
  async read(subscription: SubscriptionRecord, keys: readonly PaymentKey[]): Promise<RestOf> {
    const rests = new Map<string, number>();
    for (const key of keys) {
      const name = nameOf(key);
      if (!rests.has(name)) rests.set(name, refundableMinor(await this.payment(subscription, key)));
    }
    return (key) => rests.get(nameOf(key)) ?? 0;
  }
}

function nameOf({ kind, slice }: PaymentKey): string {
  return `${kind}/${slice}`;
}
