import { Injectable } from '@nestjs/common';
import { BillingCycle, SubscriptionStore, type SubscriptionRecord } from '@commerce/billing';
import { PaymentStore } from '@commerce/payments';
import { UnitsOfWork, sameId, type Id } from '@commerce/platform';

import { Service } from '../service.js';
import { UNDER_WAY_MS, type Examination, type Finding } from './finding.js';

/** Subscriptions must be billed when they are due, and name the payments that there are of them. */
@Injectable()
export class SubscriptionsExamination implements Examination {
  constructor(private readonly service: Service) {}

  async *examine(company: Id, now: Date): AsyncGenerator<Finding> {
    const store = await this.service.get(SubscriptionStore);
    for await (const subscription of store.in(company).stream({})) {
      const late = this.late(subscription, now);
      if (late !== null) yield late;
      const payments = await this.payments(subscription, now);
      if (payments !== null) yield payments;
    }
  }

  /** On a test clock things fall due when the clock is advanced, not by themselves. */
  private late(subscription: SubscriptionRecord, now: Date): Finding | null {
    const { _id, company, due, wake_at, test_clock } = subscription;
    if (due === null || test_clock !== null) return null;
    const id = _id.toHexString();
    const overdue = now.getTime() - due.getTime() > UNDER_WAY_MS;
    if (wake_at === null) {
      const detail = `due at ${due.toISOString()}, but no worker will look at it`;
      return { kind: 'subscription.asleep', id, detail, mend: () => this.wake(subscription, due) };
    }
    if (!overdue || wake_at > now) return null;
    const detail = `due since ${due.toISOString()}: is a worker running?`;
    const mend = async (): Promise<unknown> =>
      (await this.service.get(BillingCycle)).runBatch(company, [_id]);
    return { kind: 'subscription.overdue', id, detail, mend };
  }

  private async payments({ _id, company }: SubscriptionRecord, now: Date): Promise<Finding | null> {
    const there = await (await this.service.get(PaymentStore)).in(company).many({ subscription: _id });
    // Read after its payments: one that was charged meanwhile would look like one that names too few.
    const store = await this.service.get(SubscriptionStore);
    const subscription = await store.in(company).find(_id, { deleted: true });
    if (subscription === null) return null;
    const missing = there.filter(({ _id: one }) => !includes(subscription.payments, one));
    const known = await (await this.service.get(PaymentStore)).in(company).byIds(subscription.payments);
    const strange = subscription.payments.filter(
      (one) => !sameId(known.get(one.toHexString())?.subscription, _id),
    );
    if (missing.length === 0 && strange.length === 0) return null;
    const kept = subscription.payments.filter((one) => !includes(strange, one));
    const payments = [...kept, ...missing.map((payment) => payment._id)];
    const mend = async (): Promise<void> => {
      const work = (await this.service.get(UnitsOfWork)).begin(company, now);
      work.update(store, subscription, { payments });
      await work.commit();
    };
    const detail = `payments lacks ${String(missing.length)} of its own and names ${String(strange.length)} others`;
    return { kind: 'subscription.payments', id: _id.toHexString(), detail, mend };
  }

  private async wake(subscription: SubscriptionRecord, due: Date): Promise<void> {
    await (await this.service.get(SubscriptionStore)).wake(subscription, due);
  }
}

function includes(ids: readonly Id[], id: Id): boolean {
  return ids.some((one) => sameId(one, id));
}
