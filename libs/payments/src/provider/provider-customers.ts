import { Injectable } from '@nestjs/common';
import { isFault } from '@commerce/kernel';
import type { UserRecord } from '@commerce/identity';
import { UnitsOfWork } from '@commerce/data';

import { MISSING, ProviderRefused } from './card-provider.js';
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
   * Runs a request for the provider's customer of a user. Where the account does not have the customer, because it was
   * deleted or the account is another one now, the request runs once more, for a new customer.
   * @throws ProviderUnavailable
   */
  async use<T>(user: UserRecord, request: (customerId: string) => Promise<T>): Promise<T> {
    const known = await this.idOf(user);
    try {
      return await request(known);
    } catch (error) {
      const isGone = error instanceof ProviderRefused && error.code === MISSING && error.param === 'customer';
      if (!isGone) throw error;
      return request(await this.instead(user, known));
    }
  }

  /** Concurrent callers, or one that died in between, get the same, because the key contains the user's id. */
  private async idOf(user: UserRecord): Promise<string> {
    const { company } = user;
    const key = { user: user._id, provider: this.providers.name };
    const known = await this.store.in(company).one(key);
    if (known !== null) return known.customer_id;
    const customer_id = await this.create(user, `customer-${user._id.toHexString()}`);
    try {
      await this.units.create(this.store, { company, ...key, customer_id });
      return customer_id;
    } catch (error) {
      if (!isFault(error, 'record.exists')) throw error;
      const winner = await this.store.in(company).one(key);
      return winner?.customer_id ?? customer_id;
    }
  }

  /** The customer in place of one that is gone. Its key names that one: under the old key the provider shows it again. */
  private async instead(user: UserRecord, gone: string): Promise<string> {
    const own = this.store.in(user.company);
    const known = await own.one({ user: user._id, provider: this.providers.name });
    if (known === null) return this.idOf(user);
    if (known.customer_id !== gone) return known.customer_id;
    const customer_id = await this.create(user, `customer-${user._id.toHexString()}-${gone}`);
    const after = await this.units.change(own, known._id, (before) =>
      before.customer_id === gone ? { changes: { customer_id } } : null,
    );
    return after.customer_id;
  }

  private async create({ company, test_clock, _id }: UserRecord, key: string): Promise<string> {
    const account = await this.providers.accountOf(company, test_clock);
    // Only immutable values: the provider refuses a key with other parameters.
    return account.customer({ key, company: company.toHexString(), user: _id.toHexString() });
  }
}
