import { Injectable } from '@nestjs/common';
import { clockFilter } from '@commerce/identity';
import { type Caller, type Page } from '@commerce/data';
import { pageOf, type Id } from '@commerce/records';

import { withClientSecret } from '../payments/client-secret.js';
import { withoutDeclineReasons } from '../payments/decline-reason.js';
import { PayLinks } from '../payments/pay-links.js';
import type { PaymentRecord } from '../payments/payment.record.js';
import { PaymentStore } from '../payments/payment.store.js';
import { totalsOf, type CurrencyTotals } from '../payments/payment-totals.js';
import type { ListPaymentsQuery, ListSubscriptionPaymentsQuery, PaymentTotalsQuery } from './payments.dto.js';

/** What became of the payments of a time. */
export interface PaymentTotals {
  readonly from: Date;
  readonly to: Date;
  readonly totals: readonly CurrencyTotals[];
}

/** Payments as callers may see them: a user its own, an admin all of the company's. */
@Injectable()
export class PaymentReader {
  constructor(
    private readonly store: PaymentStore,
    private readonly links: PayLinks,
  ) {}

  /** The customer who has to authenticate also gets the secret for it; an admin the link to send to the customer. */
  async get(caller: Caller, id: string): Promise<PaymentRecord> {
    const payment = await this.store.for(caller).show(id);
    return caller.role === 'user' ? forCustomer(payment) : this.shown(caller, payment);
  }

  /** A payment as any reply shows it: to an admin with the link to send to the customer, where it can be paid. */
  async shown({ role }: Caller, payment: PaymentRecord): Promise<PaymentRecord> {
    return role === 'admin' ? this.links.withLink(payment) : payment;
  }

  async list(caller: Caller, query: ListPaymentsQuery): Promise<Page<PaymentRecord>> {
    const { user, subscription, order, status, currency } = query;
    const named = { user, subscription, order, status, currency };
    const asked = Object.entries(named).filter(([, value]) => value !== null);
    // The payments of an order belong to no subscription: with that said, an index finds them.
    const filter = { ...(order === null ? {} : { subscription: null }), ...clockFilter(query) };
    const page = await this.store
      .for(caller)
      .page(pageOf(query, { ...filter, ...Object.fromEntries(asked) }));
    return this.shownPage(caller, page, withoutDeclineReasons);
  }

  /** What became of the payments of a time, by currency. */
  async totals({ company }: Caller, query: PaymentTotalsQuery): Promise<PaymentTotals> {
    const { from_date: from, to_date: to, test_clock } = query;
    return { from, to, totals: totalsOf(await this.store.groups(company, test_clock, from, to)) };
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
    return this.shownPage(caller, page, forCustomer);
  }

  private async shownPage(
    caller: Caller,
    page: Page<PaymentRecord>,
    forUser: (payment: PaymentRecord) => PaymentRecord,
  ): Promise<Page<PaymentRecord>> {
    const records =
      caller.role === 'user'
        ? page.records.map(forUser)
        : await Promise.all(page.records.map((payment) => this.shown(caller, payment)));
    return { ...page, records };
  }
}

/** With the secret by which it is authenticated, without the reasons of declines. */
function forCustomer(payment: PaymentRecord): PaymentRecord {
  return withClientSecret(withoutDeclineReasons(payment));
}
