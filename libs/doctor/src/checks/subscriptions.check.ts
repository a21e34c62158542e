import { Injectable } from '@nestjs/common';
import {
  BillingProcessor,
  SHOWN_PAYMENTS,
  SubscriptionStore,
  booksProblem,
  type SubscriptionRecord,
} from '@commerce/billing';
import { PaymentStore, type PaymentRecord } from '@commerce/payments';
import { UnitsOfWork } from '@commerce/data';
import { sameId, type Id } from '@commerce/records';

import type { Check } from './check.js';
import { IN_PROGRESS_MS, type Finding } from './finding.js';
import type { Walk } from './walk.js';

/** Subscriptions must owe nothing below 0, be billed when they are due, and name the newest payments made for them. */
@Injectable()
export class SubscriptionsCheck implements Check {
  constructor(
    private readonly subscriptions: SubscriptionStore,
    private readonly payments: PaymentStore,
    private readonly processor: BillingProcessor,
    private readonly units: UnitsOfWork,
  ) {}

  async *check(walk: Walk): AsyncGenerator<Finding> {
    const subscriptions = this.subscriptions.in(walk.company);
    for await (const subscription of walk.over(subscriptions.stream({}))) {
      const waits = held(subscription);
      if (waits !== null) yield waits;
      const books = booksOf(subscription);
      if (books !== null) yield books;
      const late = this.late(subscription, walk.now);
      if (late !== null) yield late;
      const payments = (await this.namesNewest(subscription)) ? null : await this.misnamed(subscription);
      if (payments !== null) yield payments;
    }
  }

  /** On a test clock things fall due when the clock is advanced, not by themselves. */
  private late(subscription: SubscriptionRecord, now: Date): Finding | null {
    const { _id, company, due, wake_at, test_clock, held } = subscription;
    if (due === null || test_clock !== null || held !== null) return null;
    const id = _id.toHexString();
    const overdue = now.getTime() - due.getTime() > IN_PROGRESS_MS;
    if (wake_at === null) {
      const detail = `due at ${due.toISOString()}, but no worker will see it`;
      return { kind: 'subscription.asleep', id, detail, repair: () => this.wake(subscription) };
    }
    if (!overdue || wake_at > now) return null;
    const detail = `due since ${due.toISOString()}: is a worker running?`;
    const repair = (): Promise<unknown> => this.processor.runBatch(company, [_id]);
    return { kind: 'subscription.overdue', id, detail, repair };
  }

  /** Whether it names its newest payments and no others: one small read, for this is true of nearly all. */
  private async namesNewest({ _id, company, payments }: SubscriptionRecord): Promise<boolean> {
    const newest = await this.payments.newestOf(company, _id, SHOWN_PAYMENTS);
    return newest.length === payments.length && newest.every((id) => includes(payments, id));
  }

  private async misnamed({ _id, company }: SubscriptionRecord): Promise<Finding | null> {
    const records = this.subscriptions.in(company);
    const there = await this.paymentsOf(company, _id);
    // Read after its payments: had it been charged in between, it would seem to name too few.
    const subscription = await records.find(_id, { deleted: true });
    if (subscription === null) return null;
    const found = await this.difference(subscription, there);
    if (found === null) return null;
    const repair = (): Promise<unknown> => {
      const decide = async (before: SubscriptionRecord): Promise<{ changes: { payments: Id[] } } | null> => {
        const difference = await this.difference(before, await this.paymentsOf(company, _id));
        return difference === null ? null : { changes: { payments: difference.right } };
      };
      return this.units.change(records, _id, decide, { deleted: true });
    };
    const detail = `payments lacks ${String(found.missing)} of its own and names ${String(found.strange)} others`;
    return { kind: 'subscription.payments', id: _id.toHexString(), detail, repair };
  }

  /** The payments that a subscription must name, the oldest first. */
  private async paymentsOf(company: Id, subscription: Id): Promise<PaymentRecord[]> {
    const payments = this.payments.in(company);
    const newest = { sort: { created: -1, _id: -1 }, limit: SHOWN_PAYMENTS + 1 } as const;
    const found = await payments.many({ subscription }, newest);
    const cut = found[SHOWN_PAYMENTS]?.created.getTime() ?? -Infinity;
    // Of payments that were made at the same time, none is the newer.
    return found.filter(({ created }) => created.getTime() > cut).reverse();
  }

  private async difference(
    { _id, company, payments }: SubscriptionRecord,
    there: readonly PaymentRecord[],
  ): Promise<Difference | null> {
    const named = await this.payments.in(company).byIds(payments);
    const own = payments.filter((id) => sameId(named.get(id.toHexString())?.subscription, _id));
    const missing = there.map((payment) => payment._id).filter((id) => !includes(own, id));
    const strange = payments.length - own.length;
    if (missing.length === 0 && strange === 0) return null;
    return { missing: missing.length, strange, right: [...own, ...missing].slice(-SHOWN_PAYMENTS) };
  }

  private async wake({ company, _id }: SubscriptionRecord): Promise<void> {
    const subscription = await this.subscriptions.in(company).find(_id);
    if (subscription?.wake_at === null && subscription.held === null)
      await this.subscriptions.wake(subscription, subscription.due);
  }
}

/** Nothing is repaired: a person has to find out what was charged. */
function booksOf(subscription: SubscriptionRecord): Finding | null {
  const detail = booksProblem(subscription);
  const id = subscription._id.toHexString();
  return detail === null ? null : { kind: 'subscription.books', id, detail, repair: null };
}

/** A person has to decide whether it may go on. */
function held({ _id, held }: SubscriptionRecord): Finding | null {
  if (held === null) return null;
  const why =
    held.reason === 'error' ? 'billing it failed' : `${String(held.periods)} periods were due at once`;
  const detail = `held since ${held.since.toISOString()}, as ${why}; billing:release lets it go on`;
  return { kind: 'subscription.held', id: _id.toHexString(), detail, repair: null };
}

/** How the payments that a subscription names differ from those that exist. */
interface Difference {
  readonly missing: number;
  readonly strange: number;
  readonly right: Id[];
}

function includes(ids: readonly Id[], id: Id): boolean {
  return ids.some((one) => sameId(one, id));
}
