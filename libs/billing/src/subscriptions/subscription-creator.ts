import { Injectable } from '@nestjs/common';
import { BusinessClock, Users, type CustomerSettings, type UserRecord } from '@commerce/identity';
import { fieldFault } from '@commerce/kernel';
import { PaymentMethods, balanceMinor } from '@commerce/payments';
import { type Caller } from '@commerce/data';
import { inTurns } from '@commerce/platform';
import { makeRecord, parseId, type Id } from '@commerce/records';

import type { PreviewedCharge } from '../domain/cycle/lookahead.js';
import { previewSteps } from '../domain/cycle/preview.js';
import { hasTerm, type Decider } from '../domain/lifecycle/decided-by.js';
import {
  shownTerm,
  type CreatedState,
  type SubscriptionState,
} from '../domain/lifecycle/subscription-state.js';
import type { Transition } from '../domain/lifecycle/transition.js';
import { createSubscription, startSubscription } from '../domain/actions/actions.js';
import { importSubscription, type ImportFacts } from '../domain/actions/import.js';
import type { Terms } from '../domain/pricing/terms.js';
import { changeBy, deciderOf, wakeAt } from './subscription-change.js';
import type { PlanRecord } from '../plans/plan.record.js';
import { blankState, changesOf } from '../subscription-record/subscription-state.adapter.js';
import type { CreateSubscriptionBody, PreviewSubscriptionBody } from './subscription.dto.js';
import type { Discount } from '../domain/pricing/discount.js';
import type { CouponUse } from '../terms/discount-reader.js';
import { requireEndOfPeriod } from './customer-limits.js';
import { againIfTrialTaken } from './customer-trial.js';
import { requireFirstCharge, type AheadOfCustomer } from './require-first-charge.js';
import { sessionEnd } from './session.js';
import { requireRecentStart } from './starting.js';
import { SubscriptionRecord } from '../subscription-record/subscription.record.js';
import { SubscriptionWriter } from './subscription-writer.js';
import { TermsReader, subscribed, type PlanQuantity } from '../terms/terms-reader.js';

/** A new subscription has the end that its caller gave. */
const BY_ITS_CALLER = { status: 'CREATED', ending_set_by: null, term_set_by: null } as const;

/** Default number of charges in a preview. */
const PREVIEWED = 12;

/** A subscription that ran elsewhere. */
export interface TakenOverSubscription {
  readonly _id: Id;
  readonly user: UserRecord;
  readonly plan: Id;
  readonly quantity: number;
  readonly payment_method: Id | null;
  /** The discount that it had elsewhere. */
  readonly discount_terms: Discount | null;
  readonly note: string | null;
  readonly facts: ImportFacts;
}

/** Creates, imports and previews subscriptions. */
@Injectable()
export class SubscriptionCreator {
  constructor(
    private readonly users: Users,
    private readonly methods: PaymentMethods,
    private readonly terms: TermsReader,
    private readonly time: BusinessClock,
    private readonly writer: SubscriptionWriter,
  ) {}

  async create(caller: Caller, body: CreateSubscriptionBody): Promise<SubscriptionRecord> {
    return againIfTrialTaken(() => this.createOnce(caller, body));
  }

  private async createOnce(caller: Caller, body: CreateSubscriptionBody): Promise<SubscriptionRecord> {
    const { company } = caller;
    const { payment_method, note } = body;
    requireNoMethodOfUser(caller, body);
    if (body.start_now === true && payment_method === null) {
      throw fieldFault('payment_method', 'payment_method is needed where start_now is true');
    }
    const user = await this.users.forRequest(caller, body.user ?? null);
    const { test_clock } = user;
    const instants = await this.time.instants(company, test_clock);
    const { business } = instants;
    const { plan, terms } = await this.terms.referred(caller, body, { user, payment_method, now: business });
    await this.requireMethod(user, payment_method);
    requireRecentStart(caller, body.starting_date, business);
    const use = { now: business, test_clock, user: user._id, holder: null, redeemed: [] };
    const discount_terms = await this.discountOf(body, company, use);
    const created = createdBy({ ...body, discount_terms }, terms, payment_method !== null, business);
    const customers = await this.terms.customersOf(caller);
    await this.writer.requireNoDebt(this.methods, customers, user);
    const own = await this.writer.trialFor(customers, {
      ...{ company, user: user._id, state: created, terms: terms.for(created.subscribed) },
    });
    const start = body.start_now === true ? startedFor(customers, created, own.terms, business) : null;
    const balance_minor = balanceMinor(user, plan.currency);
    if (start !== null)
      this.requireFirst(caller, { ...start, terms: own.terms, now: business, balance_minor });
    const values = {
      ...changesOf(created),
      ending_set_by: setterOfTerm(created, deciderOf(caller)),
      company,
      user: user._id,
      plan: plan._id,
      quantity: body.quantity,
      payment_method,
      name: body.subscription_method ?? plan.name,
      method: body.subscription_method ?? plan.method,
      note,
      test_clock,
      in_session_until: body.start_now === true ? sessionEnd(caller, business) : null,
      wake_at: wakeAt(created.derived.due, test_clock, instants),
    };
    const make = (): SubscriptionRecord => makeRecord(SubscriptionRecord, values, business);
    const changes = start === null ? [] : [{ ...changeBy(start), by: deciderOf(caller), trial: own.begins }];
    return this.writer.create(company, instants, make, ...changes);
  }

  /**
   * Imports a subscription that ran elsewhere, under its old anchor: periods before its next date were charged there,
   * and nothing is charged now.
   * @throws Fault `value.invalid` where its dates contradict each other; `record.exists` for an id in use
   */
  async import(caller: Caller, given: TakenOverSubscription): Promise<SubscriptionRecord> {
    const { company } = caller;
    const { _id, user, payment_method, note, facts } = given;
    const { test_clock } = user;
    const instants = await this.time.instants(company, test_clock);
    const { plan, terms } = await this.terms.referred(caller, given, {
      ...{ user, payment_method, now: instants.business },
    });
    await this.requireMethod(user, payment_method);
    const state = importSubscription(
      blankState(plan.currency, subscribed(given)),
      terms,
      facts,
      instants.business,
    );
    const values = {
      ...changesOf(state),
      trial_plan: changesOf(state).trial_ending_date === null ? null : plan._id,
      ending_set_by: setterOfTerm(state, 'ADMIN'),
      ...{
        _id,
        company,
        user: user._id,
        plan: plan._id,
        quantity: given.quantity,
        payment_method,
        note,
        test_clock,
        redeemed_coupons: redeemedBy(given),
      },
      name: plan.name,
      method: plan.method,
      wake_at: wakeAt(state.derived.due, test_clock, instants),
    };
    const make = (): SubscriptionRecord => makeRecord(SubscriptionRecord, values, instants.business);
    return this.writer.create(company, instants, make);
  }

  /** The charges of a subscription if it started now, or on the given date. Stores nothing. */
  async preview(caller: Caller, body: PreviewSubscriptionBody): Promise<readonly PreviewedCharge[]> {
    const { company } = caller;
    requireNoMethodOfUser(caller, body);
    const forNobody = caller.role === 'admin' && !body.user;
    const user = forNobody ? null : await this.users.forRequest(caller, body.user ?? null);
    const now = await this.time.now(company, user?.test_clock ?? null);
    const { payment_method } = body;
    const { terms } = await this.terms.referred(caller, body, { user, payment_method, now });
    if (user !== null) await this.requireMethod(user, body.payment_method);
    requireRecentStart(caller, body.starting_date, now);
    const known = { user: user?._id ?? null, test_clock: user?.test_clock ?? null };
    const use = { ...known, now, holder: null, redeemed: [] };
    const discount_terms = await this.discountOf(body, company, use);
    const balance_minor = user === null ? 0 : balanceMinor(user, terms.plan.currency);
    const customers = await this.terms.customersOf(caller);
    const input = { caller, customers, user: user?._id ?? null, now, count: body.count, balance_minor };
    return this.chargesOf({ ...body, discount_terms }, terms, input);
  }

  /** The charges of a subscription to this plan, which need not be stored, if it started now. Stores nothing. */
  async previewPlan(
    caller: Caller,
    plan: PlanRecord,
    { quantity, now, count }: { readonly quantity: number; readonly now: Date; readonly count: number },
  ): Promise<readonly PreviewedCharge[]> {
    const taken = { plan: plan._id, quantity };
    const charged = { user: null, payment_method: null, now };
    const terms = await this.terms.ofPlan(caller.company, plan, taken, charged);
    const customers = await this.terms.customersOf(caller);
    return this.chargesOf(taken, terms, { caller, customers, user: null, now, count, balance_minor: 0 });
  }

  private async chargesOf(
    body: TermBody,
    terms: Terms,
    { caller, customers, user, now, count = PREVIEWED, balance_minor }: PreviewContext,
  ): Promise<readonly PreviewedCharge[]> {
    const created = createdBy(body, terms, true, now);
    const all = terms.for(created.subscribed);
    const starting = user === null ? null : { company: caller.company, user, state: created, terms: all };
    const own = starting === null ? all : (await this.writer.trialFor(customers, starting)).terms;
    const { state } = startedFor(customers, created, own, now);
    this.requireFirst(caller, { state, terms: own, now, balance_minor });
    const minimum_minor = this.methods.minimumCharge(terms.plan.currency);
    return inTurns(previewSteps(state, own, now, count, { minimum_minor, balance_minor }));
  }

  private requireFirst(caller: Caller, ahead: Omit<AheadOfCustomer, 'canPay' | 'minimum_minor'>): void {
    const minimum_minor = this.methods.minimumCharge(ahead.terms.plan.currency);
    requireFirstCharge(caller, { ...ahead, canPay: true, minimum_minor });
  }

  private async discountOf(
    { plan, coupon = null }: CreateSubscriptionBody,
    company: Id,
    use: CouponUse,
  ): Promise<Discount | null> {
    return coupon === null ? null : this.terms.discount(company, plan, coupon, use);
  }

  private async requireMethod({ company, _id }: UserRecord, method: Id | null): Promise<void> {
    if (method !== null) await this.methods.referred(company, _id, method, 'payment_method');
  }
}

/** A discount that began elsewhere needs no redemption here. */
function redeemedBy({ discount_terms }: TakenOverSubscription): Id[] {
  const coupon = parseId(discount_terms?.coupon ?? '');
  return coupon === null ? [] : [coupon];
}

interface PreviewContext {
  readonly caller: Caller;
  readonly customers: CustomerSettings;
  readonly user: Id | null;
  readonly now: Date;
  readonly count?: number | undefined;
  readonly balance_minor: number;
}

type TermBody = PlanQuantity &
  Partial<Pick<CreateSubscriptionBody, 'starting_date' | 'ending_date' | 'interval_total' | 'infinite'>>;

function createdBy(body: TermBody, { plan }: Terms, has_payment_method: boolean, now: Date): CreatedState {
  const { starting_date = null, ending_date = null, interval_total = null, infinite = null } = body;
  const input = { starting_date, ending_date, interval_total, infinite, has_payment_method };
  return createSubscription(blankState(plan.currency, subscribed(body)), plan, input, now);
}

/** Merchants search and bill by the method, so a user must not choose it. */
function requireNoMethodOfUser(
  { role }: Pick<Caller, 'role'>,
  { subscription_method: method }: CreateSubscriptionBody,
): void {
  if (role === 'admin' || method === undefined || method === null) return;
  const message = 'subscription_method may be set by service accounts only';
  throw fieldFault('subscription_method', message, 'subscription.field_reserved');
}

/** Who set the end of a new subscription; null where it has none. */
function setterOfTerm(state: SubscriptionState, by: Decider): Decider | null {
  return hasTerm(shownTerm(state)) ? by : null;
}

/** @throws Faults of `startSubscription` and `requireEndOfPeriod` */
function startedFor(customers: CustomerSettings, created: CreatedState, terms: Terms, now: Date): Transition {
  const started = startSubscription(created, terms, { new_payment_method: false }, now);
  requireEndOfPeriod(customers, { before: BY_ITS_CALLER, state: created }, started.state);
  return started;
}
