import { Injectable } from '@nestjs/common';
import { clockFilter } from '@commerce/identity';
import { type Caller, type Page } from '@commerce/data';
import { pageOf, rangeOf, type Id } from '@commerce/records';

import { withClientSecret } from '../showing/client-secret.js';
import { withoutDeclineReasons } from '../showing/decline-reason.js';
import { PayLinks } from '../showing/pay-links.js';
import type { PaymentRecord } from '../payments/payment.record.js';
import { PaymentStore } from '../payments/payment.store.js';
import { totalsOf, type CurrencyTotals } from '../payments/payment-totals.js';
import type { ListPaymentsQuery, ListSubscriptionPaymentsQuery, PaymentTotalsQuery } from './payments.dto.js';

/** The outcomes of the payments in a range of dates. */
export interface PaymentTotals {
  readonly from: Date;
  readonly to: Date;
  readonly totals: readonly CurrencyTotals[];
}

/** Reads the payments visible to a caller: their own for a user, all of the company for an admin. */
@Injectable()
export class PaymentReader {
  constructor(
    private readonly store: PaymentStore,
    private readonly links: PayLinks,
  ) {}

  /** Shows the secret to a customer who has to authenticate, and to an admin the link to send to the customer. */
  async get(caller: Caller, id: string): Promise<PaymentRecord> {
    const payment = await this.store.for(caller).show(id);
    return caller.role === 'user' ? forCustomer(payment) : this.shown(caller, payment);
  }

  /** A payment as every reply shows it: for an admin with the link to send to the customer, where it can be paid. */
  async shown({ role }: Caller, payment: PaymentRecord): Promise<PaymentRecord> {
    return role === 'admin' ? this.links.withLink(payment) : payment;
  }

  async list(caller: Caller, query: ListPaymentsQuery): Promise<Page<PaymentRecord>> {
    const { user, subscription, order, status, currency } = query;
    const named = { user, subscription, order, status, currency };
    const asked = Object.entries(named).filter(([, value]) => value !== null);
    // The payments of an order belong to no subscription: stating that lets an index serve the query.
    const filter = {
      ...(order === null ? {} : { subscription: null }),
      ...clockFilter(query),
      ...rangeOf('amount', query.min_amount, query.max_amount),
    };
    const page = await this.store
      .for(caller)
      .page(pageOf(query, { ...filter, ...Object.fromEntries(asked) }));
    return this.shownPage(caller, page, withoutDeclineReasons);
  }

  /** The outcomes of the payments in a range of dates, by currency. */
  async totals({ company }: Caller, query: PaymentTotalsQuery): Promise<PaymentTotals> {
    const { from_date: from, to_date: to, test_clock } = query;
    return { from, to, totals: totalsOf(await this.store.groups(company, test_clock, from, to)) };
  }

  /**
   * The payments of a subscription visible to the caller. A customer who has to authenticate one of them gets its
   * secret.
   */
  async listOfSubscription(
    caller: Caller,
    subscription: Id,
    query: ListSubscriptionPaymentsQuery,
  ): Promise<Page<PaymentRecord>> {
    const { status } = query;
    const filter = { subscription, ...(status === null ? {} : { status }) };
    const page = await this.store.in(caller.company).page(pageOf(query, filter));
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

/** Adds the secret for authentication, and hides the reasons of declines. */
function forCustomer(payment: PaymentRecord): PaymentRecord {
  return withClientSecret(withoutDeclineReasons(payment));
}
