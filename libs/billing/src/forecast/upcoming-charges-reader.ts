import { Injectable } from '@nestjs/common';
import { BusinessClock } from '@commerce/identity';
import { BalanceReader, PaymentMethods } from '@commerce/payments';
import type { Caller } from '@commerce/data';
import type { Id } from '@commerce/records';

import type { AheadInput, PreviewedCharge } from '../domain/cycle/lookahead.js';
import { chargesAhead, firstOf } from '../domain/cycle/preview.js';
import type { Terms } from '../domain/pricing/terms.js';
import { stateOf } from '../subscription-record/subscription-state.adapter.js';
import type { UpcomingChargesQuery } from '../subscriptions/subscription.dto.js';
import type { SubscriptionRecord } from '../subscription-record/subscription.record.js';
import { SubscriptionStore } from '../subscription-record/subscription.store.js';
import { TermsReader, type TermsOf } from '../terms/terms-reader.js';

/** The future charges of a running subscription. */
export interface UpcomingCharges {
  readonly charges: readonly PreviewedCharge[];
}

/** Reads the charges that follow without further requests, assuming that each succeeds on its date. */
@Injectable()
export class UpcomingChargesReader {
  constructor(
    private readonly store: SubscriptionStore,
    private readonly terms: TermsReader,
    private readonly methods: PaymentMethods,
    private readonly balances: BalanceReader,
    private readonly time: BusinessClock,
  ) {}

  /** The next charges of a subscription visible to the caller; none while billing is on hold. */
  async ofSubscription(
    caller: Caller,
    id: string,
    { count }: UpcomingChargesQuery,
  ): Promise<UpcomingCharges> {
    const subscription = await this.store.for(caller).get(id);
    return { charges: subscription.held === null ? await this.next(subscription, count) : [] };
  }

  /** The next `count` charges of a subscription, from the time of its customer on, as if no other took from the balance. */
  async next(subscription: SubscriptionRecord, count: number): Promise<PreviewedCharge[]> {
    const { company, user, currency, test_clock } = subscription;
    const now = await this.time.now(company, test_clock);
    const terms = await this.terms.forOne(company, subscription);
    const balance_minor = await this.balances.balanceOf(company, user, currency);
    const ahead = this.ahead(subscription, terms, await this.canPay(subscription, now), now);
    return firstOf(chargesAhead([ahead], balance_minor), count);
  }

  /** The terms of many subscriptions of a company, read together, for `ahead`. */
  async termsOf(company: Id, subscriptions: readonly SubscriptionRecord[]): Promise<TermsOf> {
    return this.terms.forMany(company, subscriptions);
  }

  /**
   * The input of `chargesAhead`.
   * @throws Error where the record is corrupted
   */
  ahead(subscription: SubscriptionRecord, terms: Terms, canPay: boolean, now: Date): AheadInput {
    const minimum_minor = this.methods.minimumCharge(terms.plan.currency);
    return { state: stateOf(subscription, terms.plan), terms, canPay, now, minimum_minor };
  }

  /** Whether the customer has a usable payment method, which matters at the end of a trial only. */
  async canPay(subscription: SubscriptionRecord, now: Date): Promise<boolean> {
    const { company, user, payment_method, trial_ending_date } = subscription;
    if (trial_ending_date === null || trial_ending_date < now) return true;
    return (await this.methods.usable(company, user, payment_method)) !== null;
  }
}
