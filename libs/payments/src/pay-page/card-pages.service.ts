import { Injectable } from '@nestjs/common';
import { fault } from '@commerce/kernel';
import { UserStore } from '@commerce/identity';
import { sameId } from '@commerce/records';

import { CardLinks } from '../methods/card-links.js';
import type { PaymentMethodRecord } from '../methods/payment-method.record.js';
import { PaymentMethods } from '../methods/payment-methods.service.js';
import type { ClientLibrary } from '../provider/card-provider.js';
import { PayCustomers } from './pay-customers.js';
import type { PayByCardBody } from '../methods/saved-card.dto.js';
import type { CardSetupSecret } from './pay-pages.service.js';

export type CardState = 'new_card' | 'saved';

/** The fields of a payment method that the page shows. */
export interface CardView {
  readonly state: CardState;
  readonly merchant: string;
  /** The brand and the last digits of the saved card. */
  readonly card: string | null;
  /** The settings of the provider's library; null where customers cannot save cards on the page. */
  readonly library: ClientLibrary | null;
}

/**
 * The page on which a customer saves a card: the holder of the link acts as the customer, for this payment method
 * alone and until it has a card. Every method throws Fault `pay_link.invalid` or `pay_link.expired` for a bad link, and
 * those that try a card `rate.limited` after too many calls by one customer.
 */
@Injectable()
export class CardPages {
  constructor(
    private readonly links: CardLinks,
    private readonly methods: PaymentMethods,
    private readonly customers: PayCustomers,
    private readonly users: UserStore,
  ) {}

  async view(token: string): Promise<CardView> {
    const method = await this.methodOf(token);
    const { company, brand, last4 } = method;
    const merchant = await this.customers.merchantOf(method);
    const user = await this.users.loader.find(company, method.user, { deleted: true });
    const library = await this.methods.library(company, user?.test_clock ?? null);
    const card = last4 === null ? null : `${brand ?? ''} •••• ${last4}`.trim();
    return { state: stateOf(method), merchant, card, library };
  }

  /** The secret by which the provider's library saves the card. */
  async openCard(token: string): Promise<CardSetupSecret> {
    const { _id, setup_secret } = await this.empty(token);
    return { client_secret: setup_secret, payment_method: _id.toHexString() };
  }

  /** Keeps the card that was saved. */
  async saveCard(token: string, body: PayByCardBody): Promise<{ state: CardState }> {
    const method = await this.empty(token);
    const customer = await this.customers.tryingCard(method);
    await this.methods.fillByLink(customer, body, ({ _id }) => sameId(_id, method._id));
    return { state: 'saved' };
  }

  /** The payment method, as long as it has no card. */
  private async empty(token: string): Promise<PaymentMethodRecord & { readonly setup_secret: string }> {
    const method = await this.methodOf(token);
    const { setup_secret } = method;
    if (stateOf(method) === 'saved' || setup_secret === null)
      throw fault('payment_method.state_conflict', 'A card is already saved here');
    return Object.assign(method, { setup_secret });
  }

  private async methodOf(token: string): Promise<PaymentMethodRecord> {
    const method = await this.links.methodOf(token);
    if (method === 'expired') throw fault('pay_link.expired', 'This link has expired');
    if (method === 'invalid') throw fault('pay_link.invalid', 'This link leads to no payment method');
    return method;
  }
}

function stateOf({ status }: PaymentMethodRecord): CardState {
  return status === 'ACTIVE' ? 'saved' : 'new_card';
}
