import { Injectable } from '@nestjs/common';
import { BalanceReader } from '@commerce/payments';
import type { Id } from '@commerce/records';

import type { RenewalRecord } from '../subscription-record/renewing.adapter.js';
import { SubscriptionStore, type LiveSubscription } from '../subscription-record/subscription.store.js';

/** Subscriptions whose balances, plans and products are read together. */
const BATCH = 120;

/** More subscriptions of one customer do not share the balance in a forecast. */
const MOST_SHARING = 100;

/** Subscriptions whose charges take from one balance. */
export interface SharingSubscriptions {
  readonly subscriptions: readonly LiveSubscription[];
  readonly balance_minor: number;
}

/** Live subscriptions that are read together: those without a balance, and those that share one. */
export interface LiveBatch {
  readonly alone: readonly RenewalRecord[];
  readonly sharing: readonly SharingSubscriptions[];
}

/** Reads live subscriptions, together those that share the balance of their customer. */
@Injectable()
export class BalanceSharingReader {
  constructor(
    private readonly store: SubscriptionStore,
    private readonly balances: BalanceReader,
  ) {}

  /**
   * All live subscriptions on a test clock or in real time, each once: with the first of a customer come the others that
   * share its balance. Customers without a balance cost one query a batch; the ids of those read ahead are remembered.
   */
  async *live(company: Id, test_clock: Id | null): AsyncGenerator<LiveBatch, void> {
    const read = new Set<string>();
    const spent = new Set<string>();
    for await (const batch of this.store.live(company, test_clock, BATCH)) {
      const balanceOf = await this.balances.balancesOf(
        company,
        batch.map(({ user }) => user),
      );
      const alone: RenewalRecord[] = [];
      const sharing: SharingSubscriptions[] = [];
      for (const subscription of batch) {
        if (read.delete(subscription._id.toHexString())) continue;
        const { user, currency, held } = subscription;
        const balance_minor = balanceOf(user, currency);
        if (balance_minor === 0 || held !== null || spent.has(keyOf(subscription))) {
          alone.push(subscription);
          continue;
        }
        const owner = { company, user, currency, test_clock };
        const found = await this.store.sharingBalance(owner, MOST_SHARING);
        const isFirst = ({ _id }: LiveSubscription): boolean => _id.equals(subscription._id);
        const first = found.find(isFirst) ?? (await this.whole(company, [subscription._id]))[0];
        const others = found.filter((one) => !isFirst(one)).slice(0, MOST_SHARING - 1);
        others.forEach(({ _id }) => read.add(_id.toHexString()));
        if (others.length >= MOST_SHARING - 1) spent.add(keyOf(subscription));
        sharing.push({ subscriptions: first === undefined ? others : [first, ...others], balance_minor });
      }
      yield { alone, sharing };
    }
  }

  /** Those of these subscriptions that are still there, with all that their charges follow from. */
  async whole(company: Id, ids: readonly Id[]): Promise<LiveSubscription[]> {
    return ids.length === 0 ? [] : this.store.liveByIds(company, ids);
  }
}

function keyOf({ user, currency }: RenewalRecord): string {
  return `${user.toHexString()} ${currency}`;
}
