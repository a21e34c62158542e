import { Injectable } from '@nestjs/common';
import { BusinessClock } from '@commerce/identity';
import { BalanceReader, PaymentMethods } from '@commerce/payments';
import type { Id } from '@commerce/records';
import pMap from 'p-map';

import type { ForecastCharge } from '../domain/ahead/forecast.js';
import type { AheadInput, PreviewedCharge } from '../domain/ahead/lookahead.js';
import { lookAhead } from '../customers/look-ahead.js';
import { renewalsOf } from '../domain/ahead/renewals.js';
import type { Terms } from '../domain/pricing/terms.js';
import { renewingFrom, type RenewalRecord } from '../subscription-record/renewing.adapter.js';
import { stateOf } from '../subscription-record/subscription-state.adapter.js';
import type { LiveSubscription } from '../subscription-record/subscription.store.js';
import { RefundableReader, type PaymentRests } from '../subscriptions/refundable-reader.js';
import { TermsReader, type NamesPlans, type TermsOf } from '../terms/terms-reader.js';

/** Subscriptions whose payments and payment methods are read at the same time. */
const CONCURRENCY = 20;

/** The inputs of a lookahead that other records hold; without rests, no credit or refund is to come. */
export interface RelatedInput extends Partial<PaymentRests> {
  readonly canPay: boolean;
}

/** The start of a lookahead for one subscription, and the balance of its customer. */
export interface UpcomingContext {
  readonly ahead: AheadInput & { readonly minimum_minor: number };
  readonly balance_minor: number;
}

/** A subscription, and the payment method that its trial ends with. */
type Payer = Pick<LiveSubscription, 'company' | 'user' | 'payment_method' | 'trial_ending_date'>;

/** Reads the charges that follow without further requests, assuming that each succeeds on its date. */
@Injectable()
export class UpcomingChargesReader {
  constructor(
    private readonly terms: TermsReader,
    private readonly methods: PaymentMethods,
    private readonly balances: BalanceReader,
    private readonly payments: RefundableReader,
    private readonly time: BusinessClock,
  ) {}

  /** The next `count` charges of a subscription, from the time of its customer on, as if no other took from the balance. */
  async next(subscription: LiveSubscription, count: number): Promise<readonly PreviewedCharge[]> {
    const { ahead, balance_minor } = await this.context(subscription);
    return (await lookAhead({ ...ahead, balance_minor }, { count })).charges;
  }

  async context(subscription: LiveSubscription): Promise<UpcomingContext> {
    const { company, user, currency, test_clock } = subscription;
    const now = await this.time.now(company, test_clock);
    const terms = await this.terms.forOne(company, subscription);
    const balance_minor = await this.balances.balanceOf(company, user, currency);
    const related = await this.related(subscription, now);
    return { ahead: this.ahead(subscription, terms, related, now), balance_minor };
  }

  /** The terms of many subscriptions of a company, read together, for `ahead`. */
  async termsOf(company: Id, subscriptions: readonly NamesPlans[]): Promise<TermsOf> {
    return this.terms.forMany(company, subscriptions);
  }

  /**
   * The input of `chargesAhead`.
   * @throws Error where the record is corrupted
   */
  ahead(
    subscription: LiveSubscription,
    terms: Terms,
    related: RelatedInput,
    now: Date,
  ): UpcomingContext['ahead'] {
    const minimum_minor = this.methods.minimumCharge(terms.plan.currency);
    return { state: stateOf(subscription, terms.plan), terms, now, minimum_minor, ...related };
  }

  /** The charges of `[now, to)`; null for a subscription that may not only renew. */
  renewals(
    record: RenewalRecord,
    terms: Terms,
    { now, to }: { now: Date; to: Date },
  ): ForecastCharge[] | null {
    const renewing = renewingFrom(record, terms.plan);
    if (renewing === null) return null;
    const minimum_minor = this.methods.minimumCharge(terms.plan.currency);
    return renewalsOf(renewing, terms, { now, due: record.due, to, minimum_minor });
  }

  async related(subscription: LiveSubscription, now: Date): Promise<RelatedInput> {
    return { canPay: await this.canPay(subscription, now), ...(await this.rests(subscription)) };
  }

  /** As `related`, for many subscriptions: most need nothing of other records. */
  async relatedOf(
    subscriptions: readonly LiveSubscription[],
    now: Date,
  ): Promise<(subscription: LiveSubscription) => RelatedInput> {
    const asking = subscriptions.filter((one) => !isUnrelated(one, now));
    const found = await pMap(asking, async (one) => [one, await this.related(one, now)] as const, {
      concurrency: CONCURRENCY,
    });
    const inputs = new Map(found);
    return (one) => inputs.get(one) ?? { canPay: true };
  }

  /** Whether the customer has a usable payment method, which matters at the end of a trial only. */
  async canPay({ company, user, payment_method, trial_ending_date }: Payer, now: Date): Promise<boolean> {
    if (hasNoTrialAt(now, trial_ending_date)) return true;
    return (await this.methods.usable(company, user, payment_method)) !== null;
  }

  /** The rests of the payments from which the next settlement takes: most subscriptions have none to come. */
  private async rests(subscription: LiveSubscription): Promise<Partial<PaymentRests>> {
    if (hasNothingToCredit(subscription)) return {};
    const entries = subscription.periods.flatMap(({ books }) => books);
    return this.payments.rests(
      subscription,
      entries.map(({ payment }) => payment),
    );
  }
}

function isUnrelated(subscription: LiveSubscription, now: Date): boolean {
  return hasNoTrialAt(now, subscription.trial_ending_date) && hasNothingToCredit(subscription);
}

function hasNoTrialAt(now: Date, trial_ending_date: Date | null): boolean {
  return trial_ending_date === null || trial_ending_date < now;
}

/** Whether no period has anything but its first terms to settle. */
function hasNothingToCredit({ pending_change, ending_date, periods }: LiveSubscription): boolean {
  const isPlain = periods.every(({ spans }) => spans.length === 1);
  return pending_change === null && ending_date === null && periods.length <= 1 && isPlain;
}
