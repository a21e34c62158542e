import { Injectable } from '@nestjs/common';
import { fault, fieldFault } from '@commerce/kernel';
import type { UserRecord } from '@commerce/identity';
import { Log } from '@commerce/platform';
import { type Id } from '@commerce/records';

import {
  MISSING,
  ProviderNotConfigured,
  type CardProvider,
  type ClientLibrary,
  type MethodAnswer,
  type MethodTruth,
} from '../provider/card-provider.js';
import { CardProviders } from '../provider/card-providers.js';
import { orUnavailable } from '../provider/or-unavailable.js';
import { ProviderCustomers } from '../provider/provider-customers.js';
import type { PaymentMethodRecord } from './payment-method.record.js';

/** Saves cards with the provider, the only party that sees a card's number. */
@Injectable()
export class CardSetup {
  constructor(
    private readonly providers: CardProviders,
    private readonly customers: ProviderCustomers,
    private readonly log: Log,
  ) {}

  get provider(): string {
    return this.providers.name;
  }

  minimumCharge(currency: string): number {
    return this.providers.minimumCharge(currency);
  }

  /** The provider's library for browsers; null also where no account serves the company. */
  async library(company: Id, testClock: Id | null): Promise<ClientLibrary | null> {
    try {
      return (await this.providers.accountOf(company, testClock)).clientLibrary();
    } catch (error) {
      if (error instanceof ProviderNotConfigured) return null;
      throw error;
    }
  }

  /**
   * Starts the setup of a card.
   * @throws Fault `provider.unavailable`, `provider.refused`, `provider.not_configured`
   */
  async openSetup(
    user: UserRecord,
    record: Id,
  ): Promise<Pick<PaymentMethodRecord, 'customer_id' | 'setup_id' | 'setup_secret'>> {
    const account = await orUnavailable(this.providers.accountOf(user.company, user.test_clock));
    return orUnavailable(
      this.customers.use(user, async (customer_id) => {
        const key = `setup-${record.toHexString()}-${customer_id}`;
        const { setup_id, client_secret } = await account.setup(customer_id, key);
        return { customer_id, setup_id, setup_secret: client_secret };
      }),
    );
  }

  /** Uses an existing customer of the provider for a user. */
  async adopt(user: UserRecord, customerId: string): Promise<void> {
    await this.customers.adopt(user, customerId);
  }

  /**
   * Attaches the provider's payment method to the customer.
   * @throws Fault `payment_method.unknown` for one that does not exist or belongs to another customer;
   * `payment_method.state_conflict` where the provider no longer has the customer; `payment_method.declined` where its
   * bank refuses it; `provider.unavailable`, `provider.not_configured`
   */
  async take(company: Id, methodId: string, customerId: string): Promise<MethodTruth> {
    const account = await orUnavailable(this.accountOf(company));
    const found = known(await orUnavailable(account.method(methodId)));
    if (found.customer_id === customerId) return found;
    if (found.customer_id !== null) throw unknown();
    const answer = await orUnavailable(account.attach(methodId, customerId));
    // The method was there a moment ago, so what is missing is the customer.
    if (answer.kind === 'refused' && answer.code === MISSING) {
      const message =
        'The card provider no longer has the customer of this payment method; create another one';
      throw fault('payment_method.state_conflict', message);
    }
    const attached = known(answer);
    if (attached.customer_id !== customerId) throw unknown();
    return attached;
  }

  /** Deletes a card at the provider. A failure there does not keep our record of it. */
  async forget(company: Id, methodId: string): Promise<void> {
    try {
      await (await this.accountOf(company)).detach(methodId);
    } catch (error) {
      this.log.warn(
        { error, method: methodId },
        'A deleted payment method is still attached at the provider',
      );
    }
  }

  /** A saved card was saved with the right account, even if its user lives on a test clock. */
  private accountOf(company: Id): Promise<CardProvider> {
    return this.providers.accountOf(company, null);
  }
}

function known(answer: MethodAnswer): MethodTruth {
  if (answer.kind === 'known') return answer.method;
  if (answer.code === MISSING) throw unknown();
  throw fault('payment_method.declined', answer.message, {
    reason: answer.code,
    errors: [{ path: 'payment_method_id', code: 'payment_method.declined', message: answer.message }],
  });
}

function unknown(): Error {
  const message = 'payment_method_id is not the id of a payment method of this user at the provider';
  return fieldFault('payment_method_id', message, 'payment_method.unknown');
}
