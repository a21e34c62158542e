import { Injectable } from '@nestjs/common';
import { fault, fieldFault } from '@commerce/kernel';
import { type Caller } from '@commerce/data';
import type { PaymentRecord } from '@commerce/payments';
import { sameId, type Id } from '@commerce/records';

import { allowedActions, stateConflict } from '../domain/lifecycle/lifecycle.js';
import { resumeCharge } from '../domain/cycle/settle.js';
import { isQuoted } from '../domain/lifecycle/quoted-state.js';
import { quoteNumber } from '../domain/receivable/open-payment.js';
import { subscribedOf, type SubscriptionState } from '../domain/lifecycle/subscription-state.js';
import type { Transition } from '../domain/lifecycle/transition.js';
import { changeSubscription, pauseSubscription } from '../domain/actions/actions.js';
import { startWhenPaid } from '../domain/actions/start-when-paid.js';
import type { Terms } from '../domain/pricing/terms.js';
import { changeBy, deciderOf, requireOwn } from './subscription-change.js';
import type { Quoted, SubscriptionOutcome } from './quote-writer.js';
import { QuoteProcessor } from './quote-processor.js';
import { stateOf } from '../subscription-record/subscription-state.adapter.js';
import type {
  PauseSubscriptionBody,
  StartSubscriptionBody,
  StopSubscriptionBody,
  UpdateSubscriptionBody,
} from './subscription.dto.js';
import { SubscriberGuard } from '../customers/subscriber-guard.js';
import { requireEndOfPeriod, stopFor } from '../customers/limits.js';
import { againIfTrialTaken } from '../customers/trials.js';
import { sessionEnd } from './session.js';
import { collectsFirst, startFor } from './starting.js';
import type { SubscriptionRecord } from '../subscription-record/subscription.record.js';
import { SubscriptionStore } from '../subscription-record/subscription.store.js';
import { SubscriptionWriter } from './subscription-writer.js';
import { TermsReader } from '../terms/terms-reader.js';

/** The inputs of an action. */
interface ActionContext {
  readonly before: SubscriptionRecord;
  readonly state: SubscriptionState;
  readonly terms: Terms;
  readonly now: Date;
  /** Whether the request names another payment method than the current one. */
  readonly new_payment_method: boolean;
}

/** The company, on whose behalf the service acts. */
interface CompanyItself {
  readonly company: Id;
  readonly role: 'admin';
}

type Decide = (context: ActionContext) => Transition | Promise<Transition>;

/** Fields that a request sets along with its action; undefined leaves them unchanged. */
type Given = Partial<Pick<SubscriptionRecord, 'payment_method' | 'note' | 'coupon'>>;

/** The actions of callers on subscriptions. */
@Injectable()
export class Subscriptions {
  constructor(
    private readonly store: SubscriptionStore,
    private readonly terms: TermsReader,
    private readonly writer: SubscriptionWriter,
    private readonly guard: SubscriberGuard,
    private readonly quotes: QuoteProcessor,
  ) {}

  /**
   * Starts, resumes or takes back a stop. A first start may have to be paid before it takes effect.
   * @throws Faults of `startFor`, `collectsFirst`, `startWhenPaid` and `SubscriberGuard`
   */
  async start(caller: Caller, id: string, body: StartSubscriptionBody): Promise<SubscriptionOutcome> {
    const records = this.store.for(caller);
    return againIfTrialTaken(() =>
      this.quotes.change(records, id, (before, now) => this.started(caller, before, body, now)),
    );
  }

  private async started(
    caller: Caller,
    before: SubscriptionRecord,
    { payment_method, coupon, collect = null, ...term }: StartSubscriptionBody,
    now: Date,
  ): Promise<Quoted> {
    const given = { payment_method, coupon };
    const { new_payment_method, ...asked } = await this.contextOf(before, given, now);
    requireOwn(caller, before, { action: 'start', term });
    const isFirst = asked.state.status === 'CREATED';
    if (coupon != null && !isFirst) throw fieldFault('coupon', 'coupon is for the first start');
    const customers = await this.guard.settingsFor(caller);
    const waits = collectsFirst({ collect, customers }, isFirst);
    const { user } = before;
    const { state, terms, trial, takesOver } = await this.guard.startingFor(caller, { user, ...asked });
    const context = { before, state, terms, now };
    const later = startFor(caller, context, { ...term, new_payment_method });
    requireEndOfPeriod(customers, context, later.state);
    const paying = { ...before, ...(payment_method == null ? {} : { payment_method }) };
    await this.guard.requireMethodForCoupon(caller, paying, later.state);
    const by = deciderOf(caller);
    const { minimum_minor } = isFirst
      ? await this.guard.requireFirstCharge(caller, before, { state: later.state, terms, now })
      : await this.guard.moneyOf(before);
    const input = { set_by: by, minimum_minor: Math.max(1, minimum_minor) };
    const decided =
      waits && state.status === 'CREATED'
        ? startWhenPaid(state, later, terms, input, now)
        : { ...later, charge: null };
    const changes = { ...named(given), in_session_until: sessionEnd(caller, now) };
    const instants = this.writer.instantsAt(now);
    return {
      decided,
      terms,
      instants,
      offSession: caller.role === 'admin',
      beside: { changes, by, trial, takesOver },
    };
  }

  /** The answer to a start whose process died after its commit (see QuoteProcessor.resume). */
  resume(caller: Caller, id: string, beside: readonly Id[]): Promise<SubscriptionOutcome> {
    return this.quotes.resume(this.store.for(caller), id, beside);
  }

  async stop(caller: Caller, id: string, body: StopSubscriptionBody): Promise<SubscriptionRecord> {
    const customers = await this.guard.settingsFor(caller);
    return this.change(caller, id, (context) => stopFor(customers, context, body.ending_date ?? null));
  }

  async pause(caller: Caller, id: string, body: PauseSubscriptionBody): Promise<SubscriptionRecord> {
    return this.change(caller, id, ({ state, terms, now }) => pauseSubscription(state, terms, body, now));
  }

  async update(caller: Caller, id: string, body: UpdateSubscriptionBody): Promise<SubscriptionRecord> {
    const { payment_method, note, ...term } = body;
    const customers = await this.guard.settingsFor(caller);
    const decide: Decide = async (context) => {
      requireOwn(caller, context.before, { action: 'update', term });
      const changed = await changing(term)(context);
      requireEndOfPeriod(customers, context, changed.state);
      return changed;
    };
    return this.change(caller, id, decide, { payment_method, note });
  }

  /** Charges a subscription to another payment method, on behalf of its company. */
  async payBy(company: Id, id: Id, payment_method: Id): Promise<void> {
    await this.change({ company, role: 'admin' }, id, changing({}), { payment_method });
  }

  /**
   * Pays the quote of a subscription with another payment method, to which the subscription is charged from then on.
   * @throws Fault `payment.state_conflict` where the payment is of no quote that waits
   */
  async payQuoteBy(payment: PaymentRecord, subscription: Id, payment_method: Id): Promise<void> {
    const { company } = payment;
    await this.quotes.change(this.store.in(company), subscription, async (before, now) => {
      const terms = await this.terms.withoutPrice(company, before);
      const state = stateOf(before, terms.plan);
      const isOwn = isQuoted(state) && state.quote.number === quoteNumber(payment);
      const resumed = isOwn ? resumeCharge(state, terms, payment) : null;
      if (resumed === null) {
        const { status } = payment;
        throw fault('payment.state_conflict', `The payment is ${status} and waits for nobody`, { status });
      }
      const decided = { ...resumed, charge: null };
      const beside = { changes: { payment_method } };
      return {
        decided,
        again: payment,
        terms,
        instants: this.writer.instantsAt(now),
        beside,
        offSession: false,
      };
    });
  }

  /**
   * Releases a subscription whose billing is on hold: everything due up to now is charged, without a bound. Any other
   * subscription is unchanged.
   */
  async release(caller: Caller, id: Id | string): Promise<SubscriptionRecord> {
    return this.writer.change(this.store.for(caller), id, async ({ held }, now) =>
      held === null
        ? { changes: {}, event: null }
        : { changes: { held: null, released_at: now, recent_periods: [] }, event: null },
    );
  }

  /** Deletes a subscription that never ran, or has ended. */
  async delete(caller: Caller, id: string): Promise<SubscriptionRecord> {
    return this.writer.change(this.store.for(caller), id, async (before, now) => {
      const { plan } = await this.terms.withoutPrice(before.company, before);
      const state = stateOf(before, plan);
      const { status } = state;
      const ended = status === 'COMPLETED' || status === 'CANCELLED';
      const isOver = ended || status === 'CREATED';
      if (!isOver || state.receivable.open_payments.length > 0 || (ended && state.derived.due !== null)) {
        const message = isOver
          ? 'A subscription cannot be deleted while its last payment is being settled'
          : `A subscription that is ${status} cannot be deleted: stop it first`;
        throw stateConflict(state, message, allowedActions(state, now));
      }
      return { changes: { deleted: true, due: null }, event: 'subscription.deleted' };
    });
  }

  private change(
    caller: Caller | CompanyItself,
    id: Id | string,
    decide: Decide,
    given: Given = {},
  ): Promise<SubscriptionRecord> {
    const records = 'user' in caller ? this.store.for(caller) : this.store.in(caller.company);
    return this.writer.change(records, id, async (before, now) => {
      const { changes, event } = changeBy(await decide(await this.contextOf(before, given, now)));
      return { changes: { ...changes, ...named(given) }, event, by: deciderOf(caller) };
    });
  }

  private async contextOf(before: SubscriptionRecord, given: Given, now: Date): Promise<ActionContext> {
    const method = given.payment_method ?? null;
    await this.guard.requireOwnMethod(before, method);
    const read = await this.terms.forOne(before.company, before);
    const new_payment_method = method !== null && !sameId(method, before.payment_method);
    const state = await this.withCoupon(before, stateOf(before, read.plan), given.coupon, now);
    return { before, state, terms: read.for(subscribedOf(state)), now, new_payment_method };
  }

  private async withCoupon(
    { _id: holder, company, user, plan, test_clock, redeemed_coupons: redeemed }: SubscriptionRecord,
    state: SubscriptionState,
    code: string | null | undefined,
    now: Date,
  ): Promise<SubscriptionState> {
    if (code == null || state.status !== 'CREATED') return state;
    const use = { now, test_clock, user, holder, redeemed };
    const discount = await this.terms.discount(company, plan, code, use);
    return { ...state, subscribed: { ...state.subscribed, discount } };
  }
}

function changing(term: Omit<UpdateSubscriptionBody, 'payment_method' | 'note'>): Decide {
  return ({ state, terms, now, new_payment_method }) =>
    changeSubscription(state, terms, { ...term, new_payment_method }, now);
}

function named({ payment_method, note }: Given): Given {
  return {
    ...(payment_method === undefined ? {} : { payment_method }),
    ...(note === undefined ? {} : { note }),
  };
}
