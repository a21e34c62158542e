import { Injectable } from '@nestjs/common';
import { isFault } from '@commerce/kernel';
import type { UserRecord } from '@commerce/identity';
import { UnitsOfWork } from '@commerce/data';

import { CardProviders } from './card-providers.js';
import { ProviderCustomerStore } from './provider-customer.store.js';

/** The customers at the provider that represent our users. */
@Injectable()
export class ProviderCustomers {
  constructor(
    private readonly store: ProviderCustomerStore,
    private readonly providers: CardProviders,
    private readonly units: UnitsOfWork,
  ) {}

  /** Uses an existing customer of the provider for a user without one. */
  async adopt({ company, _id: user }: UserRecord, customer_id: string): Promise<void> {
    const key = { user, provider: this.providers.name };
    if ((await this.store.in(company).one(key)) !== null) return;
    try {
      await this.units.create(this.store, { company, ...key, customer_id });
    } catch (error) {
      if (!isFault(error, 'record.exists')) throw error;
    }
  }

  /**
   * The provider's id of a user, created where there is none. Concurrent callers, or one that died in between, get the
   * same, because the key contains the user's id.
   * @throws ProviderUnavailable
   */
  async idOf(user: UserRecord): Promise<string> {
    const provider = this.providers.name;
    const key = { user: user._id, provider };
    const known = await this.store.in(user.company).one(key);
    if (known !== null) return known.customer_id;
    const account = await this.providers.accountOf(user.company, user.test_clock);
    const customer_id = await account.customer({
      // Only immutable values: the provider refuses a key with other parameters.
      key: `customer-${user._id.toHexString()}`,
      company: user.company.toHexString(),
      user: user._id.toHexString(),
    });
    try {
      await this.units.create(this.store, { company: user.company, ...key, customer_id });
      return customer_id;
    } catch (error) {
      if (!isFault(error, 'record.exists')) throw error;
      const winner = await this.store.in(user.company).one(key);
      return winner?.customer_id ?? customer_id;
    }
  }
}
