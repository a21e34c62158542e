import { Injectable } from '@nestjs/common';
import { BalanceReader } from '@commerce/payments';
import type { Id } from '@commerce/records';

import { SubscriptionStore, type LiveSubscription } from '../subscription-record/subscription.store.js';

/** Subscriptions whose balances, plans and products are read together. */
const BATCH = 250;

/** More subscriptions of one customer do not share the balance in a forecast. */
const MOST_SHARING = 100;

/** Subscriptions whose charges take from one balance; a single one where the customer has none. */
export interface SharingSubscriptions {
  readonly subscriptions: readonly LiveSubscription[];
  readonly balance_minor: number;
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
  async *live(company: Id, testClock: Id | null): AsyncGenerator<readonly SharingSubscriptions[], void> {
    const read = new Set<string>();
    const spent = new Set<string>();
    for await (const batch of this.store.live(company, testClock, BATCH)) {
      const balanceOf = await this.balances.balancesOf(
        company,
        batch.map(({ user }) => user),
      );
      const groups: SharingSubscriptions[] = [];
      for (const subscription of batch) {
        if (read.delete(subscription._id.toHexString())) continue;
        const { user, currency, held } = subscription;
        const balance_minor = balanceOf(user, currency);
        if (balance_minor === 0 || held !== null || spent.has(keyOf(subscription))) {
          groups.push({ subscriptions: [subscription], balance_minor: 0 });
          continue;
        }
        const group = await this.group(subscription, balance_minor);
        const others = group.subscriptions.filter((one) => one !== subscription);
        others.forEach(({ _id }) => read.add(_id.toHexString()));
        if (group.subscriptions.length >= MOST_SHARING) spent.add(keyOf(subscription));
        groups.push(group);
      }
      yield groups;
    }
  }

  private async group(subscription: LiveSubscription, balance_minor: number): Promise<SharingSubscriptions> {
    const found = await this.store.sharingBalance(subscription, MOST_SHARING);
    const others = found.filter(({ _id }) => !_id.equals(subscription._id)).slice(0, MOST_SHARING - 1);
    return { subscriptions: [subscription, ...others], balance_minor };
  }
}

function keyOf({ user, currency }: LiveSubscription): string {
  return `${user.toHexString()} ${currency}`;
}
