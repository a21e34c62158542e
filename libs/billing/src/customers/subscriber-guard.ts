import { Injectable } from '@nestjs/common';
import type { CustomerSettings } from '@commerce/identity';
import type { Caller } from '@commerce/data';
import { BalanceReader, CardProviders, PaymentMethods } from '@commerce/payments';
import type { Id } from '@commerce/records';

import type { AheadInput } from '../domain/ahead/lookahead.js';
import type { SubscriptionState } from '../domain/lifecycle/subscription-state.js';
import type { Terms } from '../domain/pricing/terms.js';
import type { SubscriptionRecord } from '../subscription-record/subscription.record.js';
import { SubscriptionStore } from '../subscription-record/subscription.store.js';
import type { Trial } from '../subscription-record/trial-keys.js';
import { TermsReader } from '../terms/terms-reader.js';
import { requireMethodForCoupon } from './coupon-method.js';
import { requireNoDebt, type Asking } from './debts.js';
import { requireFirstCharge } from './first-charge.js';
import { isRemainder, remainderOf, withRemainders, type Remainder } from './remainders.js';
import { trialFor } from './trials.js';

type Role = Pick<Caller, 'role'>;
type CompanyCaller = Pick<Caller, 'company' | 'role'>;
type Owner = Pick<SubscriptionRecord, 'company' | 'user' | 'currency'>;
/** The customer of a preview may be nobody in particular. */
type Payer = Pick<Owner, 'company' | 'currency'> & { readonly user: Id | null };

/** The minimum of the card provider, and the balance of a customer, in one currency. */
export interface CustomerMoney {
  readonly minimum_minor: number;
  readonly balance_minor: number;
}

/** A subscription that is asked to start; no user for a preview of nobody in particular. */
interface StartingState {
  readonly user: Id | null;
  readonly state: SubscriptionState;
  readonly terms: Terms;
}

/** What a start goes on from, and what its commit has beside it. */
export interface CustomerStart {
  readonly state: SubscriptionState;
  readonly terms: Terms;
  /** The trial that it takes; null for none. */
  readonly trial: Trial | null;
  readonly takesOver: readonly Remainder[];
}

type FirstAhead = Omit<AheadInput, 'canPay' | 'minimum_minor'>;

/** Remainders that one start takes over; more wait for the next one. */
const REMAINDERS = 100;

/** What customers may do, where it depends on more than the subscription that they ask for. */
@Injectable()
export class SubscriberGuard {
  constructor(
    private readonly store: SubscriptionStore,
    private readonly terms: TermsReader,
    private readonly methods: PaymentMethods,
    private readonly balances: BalanceReader,
    private readonly providers: CardProviders,
  ) {}

  /** The settings that bind a caller as a customer. */
  settingsFor(caller: CompanyCaller): Promise<CustomerSettings> {
    return this.terms.customersOf(caller);
  }

  /** @throws Fault `user.owes` for a customer who may not ask for more before that is paid */
  async requireNoDebt(caller: CompanyCaller, asking: Omit<Asking, 'company'>): Promise<void> {
    const { may_owe } = await this.settingsFor(caller);
    if (may_owe) return;
    await requireNoDebt(this.store, this.providers.minimums, { company: caller.company, ...asking });
  }

  /**
   * The state from which a customer starts a subscription, and the terms: without a trial that they had, with the debts
   * that no card could be charged for. Any other state is unchanged.
   * @throws Fault `user.owes`
   */
  async startingFor(caller: CompanyCaller, { user, state, terms }: StartingState): Promise<CustomerStart> {
    if (state.status !== 'CREATED' || user === null) return { state, terms, trial: null, takesOver: [] };
    const { company } = caller;
    await this.requireNoDebt(caller, { user });
    const settings = await this.settingsFor(caller);
    const { terms: own, begins } = await trialFor(this.store, settings, { company, user, state, terms });
    const takesOver = await this.remaindersOf({ company, user, currency: terms.plan.currency });
    return { state: withRemainders(state, takesOver), terms: own, trial: begins, takesOver };
  }

  /** @throws Fault `payment_method.unknown` or `payment_method.incomplete` at `payment_method` */
  async requireOwnMethod(
    { company, user }: Pick<Owner, 'company' | 'user'>,
    method: Id | null,
  ): Promise<void> {
    if (method !== null) await this.methods.referred(company, user, method, 'payment_method');
  }

  /** @throws Fault `payment_method.missing` for a start to come with a coupon that is limited */
  requireMethodForCoupon(
    caller: Role,
    holder: Parameters<typeof requireMethodForCoupon>[1],
    state: SubscriptionState,
  ): Promise<void> {
    return requireMethodForCoupon(caller, holder, state, { terms: this.terms, methods: this.methods });
  }

  /** @throws Fault `amount.below_minimum` where no card can be charged for what a user would be served with */
  async requireFirstCharge(caller: Role, payer: Payer, ahead: FirstAhead): Promise<CustomerMoney> {
    const money = await this.moneyOf(payer);
    requireFirstCharge(caller, { ...ahead, canPay: true, ...money });
    return money;
  }

  async moneyOf({ company, user, currency }: Payer): Promise<CustomerMoney> {
    const balance_minor = user === null ? 0 : await this.balances.balanceOf(company, user, currency);
    return { minimum_minor: this.providers.minimumCharge(currency), balance_minor };
  }

  /** The debts of a customer that a start takes over, the smallest first. */
  private async remaindersOf({ company, user, currency }: Owner): Promise<readonly Remainder[]> {
    const ended = { status: { $in: ['COMPLETED', 'CANCELLED'] }, deleted: false };
    const filter = { user, currency, outstanding_amount: { $gt: 0 }, ...ended };
    const options = { sort: { outstanding_amount: 1 } as const, limit: REMAINDERS };
    const owing = await this.store.in(company).many(filter, options);
    const minimum_minor = this.providers.minimumCharge(currency);
    const found = owing.filter((one) => isRemainder(one, minimum_minor));
    if (found.length === 0) return [];
    const termsOf = await this.terms.forMany(company, found);
    return found.map((one) => remainderOf(one, termsOf(one)));
  }
}
