import { Injectable } from '@nestjs/common';
import { ownerOnly, pageOf, type Caller, type Id, type Page } from '@commerce/platform';

import { withClientSecret } from '../payments/client-secret.js';
import { PayLinks } from '../payments/pay-links.js';
import type { PaymentRecord } from '../payments/payment.record.js';
import { PaymentStore } from '../payments/payment.store.js';
import type { ListPaymentsQuery, ListSubscriptionPaymentsQuery } from './payments.bodies.js';

/** Payments as callers may see them: a user its own, an admin all of the company's. */
@Injectable()
export class PaymentReader {
  constructor(
    private readonly store: PaymentStore,
    private readonly links: PayLinks,
  ) {}

  /** The customer who has to authenticate also gets the secret for it; an admin the link to send to the customer. */
  async get(caller: Caller, id: string): Promise<PaymentRecord> {
    const payment = await this.store.for(caller).get(id);
    return ownerOnly(caller) === null ? this.links.withLink(payment) : withClientSecret(payment);
  }

  async list(caller: Caller, query: ListPaymentsQuery): Promise<Page<PaymentRecord>> {
    const { user, subscription, order, status } = query;
    const asked = Object.entries({ user, subscription, order, status }).filter(([, value]) => value !== null);
    // The payments of an order belong to no subscription: with that said, an index finds them.
    const filter = order === null ? {} : { subscription: null };
    return this.store.for(caller).page(pageOf(query, { ...filter, ...Object.fromEntries(asked) }));
  }

  /**
   * The payments of a subscription that the caller was found to see. Where its customer has to authenticate, the
   * customer gets the secret for it.
   */
  async listOfSubscription(
    caller: Caller,
    subscription: Id,
    query: ListSubscriptionPaymentsQuery,
  ): Promise<Page<PaymentRecord>> {
    const page = await this.store.in(caller.company).page(pageOf(query, { subscription }));
    return caller.role === 'user' ? { ...page, records: page.records.map(withClientSecret) } : page;
  }
}
