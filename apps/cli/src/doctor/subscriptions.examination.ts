import { Injectable } from '@nestjs/common';
import { BillingProcessor, SubscriptionStore, type SubscriptionRecord } from '@commerce/billing';
import { PaymentStore } from '@commerce/payments';
import { UnitsOfWork, retryOnConflict, sameId, type Id } from '@commerce/platform';

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
      return { kind: 'subscription.asleep', id, detail, mend: () => this.wake(subscription) };
    }
    if (!overdue || wake_at > now) return null;
    const detail = `due since ${due.toISOString()}: is a worker running?`;
    const mend = async (): Promise<unknown> =>
      (await this.service.get(BillingProcessor)).runBatch(company, [_id]);
    return { kind: 'subscription.overdue', id, detail, mend };
  }

  private async payments({ _id, company }: SubscriptionRecord, now: Date): Promise<Finding | null> {
    const difference = await this.difference(company, _id);
    if (difference === null) return null;
    const { missing, strange } = difference;
    const mend = async (): Promise<void> => {
      const found = await this.difference(company, _id);
      if (found === null) return;
      const work = (await this.service.get(UnitsOfWork)).begin(company, now);
      work.update(await this.service.get(SubscriptionStore), found.subscription, { payments: found.right });
      await work.commit();
    };
    const detail = `payments lacks ${String(missing)} of its own and names ${String(strange)} others`;
    const id = _id.toHexString();
    return { kind: 'subscription.payments', id, detail, mend: () => retryOnConflict(mend) };
  }

  private async difference(company: Id, _id: Id): Promise<Difference | null> {
    const payments = (await this.service.get(PaymentStore)).in(company);
    const there = await payments.many({ subscription: _id }, { sort: { _id: 1 } });
    // Read after its payments: one that was charged meanwhile would look like one that names too few.
    const subscription = await (
      await this.service.get(SubscriptionStore)
    )
      .in(company)
      .find(_id, { deleted: true });
    if (subscription === null) return null;
    const named = await payments.byIds(subscription.payments);
    const own = subscription.payments.filter((id) => sameId(named.get(id.toHexString())?.subscription, _id));
    const missing = there.map((payment) => payment._id).filter((id) => !includes(own, id));
    const strange = subscription.payments.length - own.length;
    if (missing.length === 0 && strange === 0) return null;
    return { subscription, missing: missing.length, strange, right: [...own, ...missing] };
  }

  private async wake({ company, _id }: SubscriptionRecord): Promise<void> {
    const store = await this.service.get(SubscriptionStore);
    const subscription = await store.in(company).find(_id);
    if (subscription?.wake_at === null) await store.wake(subscription, subscription.due);
  }
}

/** How the payments that a subscription names differ from those that there are. */
interface Difference {
  readonly subscription: SubscriptionRecord;
  readonly missing: number;
  readonly strange: number;
  readonly right: Id[];
}

function includes(ids: readonly Id[], id: Id): boolean {
  return ids.some((one) => sameId(one, id));
}
