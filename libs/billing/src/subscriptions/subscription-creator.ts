import { Injectable } from '@nestjs/common';
import { Users, type UserRecord } from '@commerce/identity';
import { fieldFault } from '@commerce/kernel';
import { retryOnConflict, type Caller } from '@commerce/data';
import { makeRecord, parseId, type Id } from '@commerce/records';

import { lookAhead } from '../customers/look-ahead.js';
import type { PreviewedCharge } from '../domain/ahead/lookahead.js';
import { hasTerm, type Decider } from '../domain/lifecycle/decided-by.js';
import {
  shownTerm,
  type CreatedState,
  type SubscriptionState,
} from '../domain/lifecycle/subscription-state.js';
import { createSubscription, startSubscription } from '../domain/actions/actions.js';
import { startWhenPaid } from '../domain/actions/start-when-paid.js';
import { importSubscription, type ImportFacts } from '../domain/actions/import.js';
import type { Terms } from '../domain/pricing/terms.js';
import { deciderOf, wakeAt } from './subscription-change.js';
import type { PlanRecord } from '../plans/plan.record.js';
import { blankState, changesOf } from '../subscription-record/subscription-state.adapter.js';
import type { CreateSubscriptionBody, PreviewSubscriptionBody } from './subscription.dto.js';
import type { Discount } from '../domain/pricing/discount.js';
import type { CouponUse } from '../terms/discount-reader.js';
import { SubscriberGuard, type CustomerMoney } from '../customers/subscriber-guard.js';
import { requireEndOfPeriod } from '../customers/limits.js';
import { againIfTrialTaken } from '../customers/trials.js';
import { sessionEnd } from './session.js';
import type { Quoted, SubscriptionOutcome } from './quote-writer.js';
import { QuoteProcessor } from './quote-processor.js';
import { collectsFirst, requireRecentStart } from './starting.js';
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
    private readonly guard: SubscriberGuard,
    private readonly terms: TermsReader,
    private readonly writer: SubscriptionWriter,
    private readonly quotes: QuoteProcessor,
  ) {}

  /** @throws Faults of `createSubscription`, `startSubscription`, `collectsFirst` and `SubscriberGuard` */
  async create(caller: Caller, body: CreateSubscriptionBody): Promise<SubscriptionOutcome> {
    return againIfTrialTaken(() => retryOnConflict(() => this.createOnce(caller, body)));
  }

  private async createOnce(caller: Caller, body: CreateSubscriptionBody): Promise<SubscriptionOutcome> {
    const { company } = caller;
    const { payment_method, note, collect = null, start_now } = body;
    requireNoMethodOfUser(caller, body);
    if (start_now === true && payment_method === null) {
      throw fieldFault('payment_method', 'payment_method is needed where start_now is true');
    }
    if (start_now !== true && collect === 'first') throw fieldFault('collect', 'collect is for start_now');
    const user = await this.users.forRequest(caller, body.user ?? null);
    const { test_clock } = user;
    const instants = await this.writer.instantsOf(company, test_clock);
    const { business } = instants;
    const { plan, terms } = await this.terms.referred(caller, body, { user, payment_method, now: business });
    await this.guard.requireOwnMethod({ company, user: user._id }, payment_method);
    requireRecentStart(caller, body.starting_date, business);
    const use = { now: business, test_clock, user: user._id, holder: null, redeemed: [] };
    const discount_terms = await this.discountOf(body, company, use);
    const customers = await this.guard.settingsFor(caller);
    const waits = start_now === true && collectsFirst({ collect, customers }, true);
    // The setup fee of a start that waits for its payment is part of that.
    const chargesSetup = payment_method !== null && !waits;
    const created = createdBy({ ...body, discount_terms }, terms, chargesSetup, business);
    if (start_now !== true) await this.guard.requireNoDebt(caller, { user: user._id });
    const asked = { caller, user: user._id, now: business };
    const begun = start_now === true ? await this.begin(asked, created, terms, waits) : null;
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
      in_session_until: start_now === true ? sessionEnd(caller, business) : null,
      wake_at: wakeAt(created.derived.due, test_clock, instants),
    };
    const made = makeRecord(SubscriptionRecord, values, business);
    if (begun === null)
      return { kind: 'subscription', subscription: await this.writer.create(made, business) };
    const { decided, own, beside } = begun;
    const quoted = { decided, terms: own, instants, beside, offSession: caller.role === 'admin' };
    return this.quotes.create(made, quoted);
  }

  /**
   * Imports a subscription that ran elsewhere, under its old anchor: periods before its next date were charged there,
   * and nothing is charged now.
   * @throws Fault `value.invalid` where its dates contradict each other; `record.exists` for an id in use
   */
  async import(caller: Caller, given: TakenOverSubscription): Promise<SubscriptionRecord> {
    return retryOnConflict(() => this.importOnce(caller, given));
  }

  private async importOnce(caller: Caller, given: TakenOverSubscription): Promise<SubscriptionRecord> {
    const { company } = caller;
    const { _id, user, payment_method, note, facts } = given;
    const { test_clock } = user;
    const instants = await this.writer.instantsOf(company, test_clock);
    const { plan, terms } = await this.terms.referred(caller, given, {
      ...{ user, payment_method, now: instants.business },
    });
    await this.guard.requireOwnMethod({ company, user: user._id }, payment_method);
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
    return this.writer.create(makeRecord(SubscriptionRecord, values, instants.business), instants.business);
  }

  /** The charges of a subscription if it started now, or on the given date. Stores nothing. */
  async preview(caller: Caller, body: PreviewSubscriptionBody): Promise<readonly PreviewedCharge[]> {
    const { company } = caller;
    requireNoMethodOfUser(caller, body);
    const forNobody = caller.role === 'admin' && !body.user;
    const user = forNobody ? null : await this.users.forRequest(caller, body.user ?? null);
    const { business: now } = await this.writer.instantsOf(company, user?.test_clock ?? null);
    const { payment_method } = body;
    const { terms } = await this.terms.referred(caller, body, { user, payment_method, now });
    if (user !== null) await this.guard.requireOwnMethod({ company, user: user._id }, payment_method);
    requireRecentStart(caller, body.starting_date, now);
    const known = { user: user?._id ?? null, test_clock: user?.test_clock ?? null };
    const use = { ...known, now, holder: null, redeemed: [] };
    const discount_terms = await this.discountOf(body, company, use);
    return this.chargesOf({ ...body, discount_terms }, terms, {
      caller,
      user: known.user,
      now,
      count: body.count,
    });
  }

  /** The charges of a subscription to this plan, which need not be stored, if it started now. Stores nothing. */
  async previewPlan(
    caller: Caller,
    plan: PlanRecord,
    { quantity, now, count }: { readonly quantity: number; readonly now: Date; readonly count: number },
  ): Promise<readonly PreviewedCharge[]> {
    const taken = { plan: plan._id, quantity };
    const terms = await this.terms.ofPlan(caller.company, plan, taken, {
      user: null,
      payment_method: null,
      now,
    });
    return this.chargesOf(taken, terms, { caller, user: null, now, count });
  }

  private async chargesOf(
    body: TermBody,
    terms: Terms,
    { count = PREVIEWED, ...asked }: StartContext & { readonly count?: number | undefined },
  ): Promise<readonly PreviewedCharge[]> {
    const created = createdBy(body, terms, true, asked.now);
    const { state, own, money } = await this.begin(asked, created, terms);
    const ahead = { state, terms: own, canPay: true, now: asked.now, ...money };
    return (await lookAhead(ahead, { count })).charges;
  }

  /**
   * Starts a subscription by the rules for its customer; where it waits for its payment, once that has succeeded.
   * @throws Faults of `startSubscription`, `startWhenPaid`, `requireEndOfPeriod` and `SubscriberGuard`
   */
  private async begin(
    { caller, user, now }: StartContext,
    created: CreatedState,
    terms: Terms,
    waits = false,
  ): Promise<Begun> {
    const { company } = caller;
    const asked = { user, state: created, terms: terms.for(created.subscribed) };
    const { state: owing, terms: own, trial, takesOver } = await this.guard.startingFor(caller, asked);
    const start = startSubscription(owing, own, { new_payment_method: false }, now);
    const { state } = start;
    const customers = await this.guard.settingsFor(caller);
    requireEndOfPeriod(customers, { before: BY_ITS_CALLER, state: created }, state);
    const payer = { company, user, currency: terms.plan.currency };
    const money = await this.guard.requireFirstCharge(caller, payer, { state, terms: own, now });
    const by = deciderOf(caller);
    const input = { set_by: by, minimum_minor: Math.max(1, money.minimum_minor) };
    const decided =
      waits && owing.status === 'CREATED'
        ? startWhenPaid(owing, start, own, input, now)
        : { ...start, charge: null };
    return { decided, state, own, money, beside: { by, trial, takesOver } };
  }

  private async discountOf(
    { plan, coupon = null }: CreateSubscriptionBody,
    company: Id,
    use: CouponUse,
  ): Promise<Discount | null> {
    return coupon === null ? null : this.terms.discount(company, plan, coupon, use);
  }
}

/** A discount that began elsewhere needs no redemption here. */
function redeemedBy({ discount_terms }: TakenOverSubscription): Id[] {
  const coupon = parseId(discount_terms?.coupon ?? '');
  return coupon === null ? [] : [coupon];
}

/** Who starts a subscription, or previews one; no user for a preview of nobody in particular. */
interface StartContext {
  readonly caller: Caller;
  readonly user: Id | null;
  readonly now: Date;
}

/** A start, with the terms and the money of its customer. */
interface Begun extends Pick<Quoted, 'decided' | 'beside'> {
  readonly state: SubscriptionState;
  readonly own: Terms;
  readonly money: CustomerMoney;
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
